package data

import (
	"reflect"
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// ownAssays is a table as groups keep it: compounds, measurements of several assays with
// signs and units, a flag and a remark.
const ownAssays = `Compound;smiles;IC50 (nM);Inhibition;toxic;Remark
A-1;CCO;12;97,5;0;clean
A-2;CCN;>10000;3,5;1;
A-3;CCC;>100;;;see A-2
A-4;CCCl;1,5 uM;55;0;
`

func read(t *testing.T, text string, s label.Settings) (*table, error) {
	t.Helper()
	by, err := s.Parse()
	if err != nil {
		t.Fatal(err)
	}
	return readTable("t.csv", strings.NewReader(text), bySMILES, by)
}

func TestMeasurementsBecomeTasks(t *testing.T) {
	ic50 := Task{Name: "IC50 (nM)", Rows: []int32{0, 1, 3}, Labels: []uint8{1, 0, 0}} // of >100 nobody knows
	inhibition := Task{Name: "Inhibition", Rows: []int32{0, 1, 3}, Labels: []uint8{1, 0, 1}}
	toxic := Task{Name: "toxic", Rows: []int32{0, 1, 3}, Labels: []uint8{0, 1, 0}}
	standard := Task{Name: "Standard Value", Rows: []int32{0, 1}, Labels: []uint8{1, 0}}
	for _, tt := range []struct {
		name, text string
		settings   label.Settings
		want       []Task
		told       string
	}{
		{"one column", ownAssays, label.Settings{Columns: "ic50 (nm)", Below: "1 uM"}, []Task{ic50},
			"task IC50 (nM): 1 active (below 1 uM), 2 inactive, 1 not decided"},
		{"one threshold for each", ownAssays, label.Settings{Columns: "IC50 (nM); Inhibition; toxic", Below: "1;;", Above: ";50;", Units: "uM;;"}, []Task{ic50, inhibition, toxic},
			"task Inhibition: 2 active (above 50), 1 inactive; decimal commas"},
		{"labels beside measurements stay labels", strings.ReplaceAll(ownAssays, "Inhibition", "pIC50"), label.Settings{Above: "50", Columns: "toxic"},
			[]Task{{Name: "toxic", Rows: []int32{0, 1, 3}, Labels: []uint8{0, 0, 0}}}, "task toxic: 0 active (above 50), 3 inactive"},
		{"names are told from the header alone", "id,smiles,IC50 (nM),toxic,Remark\n1,CCO,12,0,clean\n2,CCN,>10000,1,\n3,CCC,>100,,\n4,CCCl,1.5 uM,0,\n", label.Settings{Below: "1 uM"}, []Task{ic50, toxic},
			"task toxic: 1 active, 2 inactive"},
		{"as ChEMBL writes it", "Smiles;Standard Type;Standard Relation;Standard Value;Standard Units\nCCO;IC50;'<';0.5;nM\nCCN;IC50;=;20;uM\n", label.Settings{Below: "1 uM"}, []Task{standard},
			"task Standard Value: 1 active (below 1 uM), 1 inactive"},
	} {
		got, err := read(t, tt.text, tt.settings)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if !reflect.DeepEqual(got.tasks, tt.want) || !strings.Contains(strings.Join(got.told, "\n"), tt.told) {
			t.Errorf("%s:\n got %+v, %q\nwant %+v, %q", tt.name, got.tasks, got.told, tt.want, tt.told)
		}
	}
}

func TestMeasurementsThatCannotBeRead(t *testing.T) {
	for _, tt := range []struct {
		text     string
		settings label.Settings
		want     string
	}{
		{ownAssays, label.Settings{Columns: "IC50", Below: "1 uM"}, `t.csv: row 1: no column "IC50" for labels; the nearest is "IC50 (nM)"`},
		{"smiles,IC50\nCCO,5\nCCN,about 7\n", label.Settings{Below: "1 uM"}, `t.csv: row 3, column IC50: "about 7" cannot be read as a measurement; write a number, perhaps with <, > and a unit such as uM, or leave the cell empty; --label (data.label) says which columns are tasks`},
		{"smiles,IC50\nCCO,5\nCCN,7\n", label.Settings{Columns: "IC50"}, `t.csv: row 2, column IC50: label "5" is a measurement; say what is active with --active-below or --active-above and --unit, or choose another column with --label`},
		{"smiles,IC50\nCCO,5\n", label.Settings{}, `t.csv: row 2, column IC50: label "5" is not 0, 1 or empty; write 0, 1 or leave the cell empty; of measurements data.active_below or data.active_above says what is active`},
		{"smiles,Remark\nCCO,good\n", label.Settings{Below: "1"}, `t.csv: row 1: no column beside "smiles"; add a column of labels for each task`},
	} {
		_, err := read(t, tt.text, tt.settings)
		if !badinput.Is(err) || err.Error() != tt.want {
			t.Errorf("got %v\nwant %s", err, tt.want)
		}
	}
}

// TestTheStoreKeepsWhatWasAsked: another threshold is another data set, and what was
// understood is there from the store, too.
func TestTheStoreKeepsWhatWasAsked(t *testing.T) {
	path := writeFile(t, "assays.csv", ownAssays)
	cache := t.TempDir()
	open := func(below string) *Dataset {
		d, err := Open(t.Context(), path, Options{Cache: cache, Labels: label.Settings{Columns: "IC50 (nM)", Below: below}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, other, again := open("1 uM"), open("10 nM"), open("1 uM")
	if again.Stored.Built || !reflect.DeepEqual(first.Tasks, again.Tasks) || len(again.Told) != 1 || first.Told[0] != again.Told[0] {
		t.Errorf("from the store: %+v, %q; want %+v, %q", again.Tasks, again.Told, first.Tasks, first.Told)
	}
	if reflect.DeepEqual(first.Tasks, other.Tasks) {
		t.Error("another threshold gives the same labels")
	}
}
