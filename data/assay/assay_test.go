package assay_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pacia/data/assay"
	"pacia/data/label"
	"pacia/data/note"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// read reads a text as an assay.
func read(t testing.TB, text string, s label.Settings, o assay.Options) (*assay.Assay, error) {
	t.Helper()
	var err error
	if o.Labels, err = s.Parse(); err != nil {
		return nil, err
	}
	r, err := table.New("t.csv", strings.NewReader(text), o.Options)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return assay.Read(t.Context(), r, o)
}

// task has the fields of a task that are compared.
type task struct {
	Name   string
	Rows   []int32
	Labels []uint8
}

func tasksOf(a *assay.Assay) (all []task) {
	for _, t := range a.Tasks {
		all = append(all, task{t.Name, t.Rows, t.Labels})
	}
	return all
}

// notesOf returns the notes of an assay and its tasks, one per line.
func notesOf(a *assay.Assay) string {
	var lines []string
	notes := a.Notes
	for _, t := range a.Tasks {
		notes = append(notes, t.Notes...)
	}
	for _, n := range notes {
		lines = append(lines, n.String())
	}
	return strings.Join(lines, "\n")
}

func TestLayouts(t *testing.T) {
	want := []task{{"A", []int32{0, 1}, []uint8{1, 0}}, {"B, b", []int32{1}, []uint8{1}}}
	for _, tt := range []struct{ name, text string }{
		{"plain", "smiles,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"byte order mark", "\ufeffsmiles,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"CRLF", "smiles,A,\"B, b\"\r\nCCO,1,\r\nc1ccccc1,0,1\r\n"},
		{"decimals", "smiles,A,\"B, b\"\nCCO,1.0,\nc1ccccc1,0.0,1.0\n"},
		{"smiles last, no end of line", "A,\"B, b\",smiles\n1,,CCO\n0,1,c1ccccc1"},
		{"upper case", "SMILES,A,\"B, b\"\nCCO,1,\nc1ccccc1,0,1\n"},
		{"semicolons and words", "smiles;A;B, b\nCCO;yes;\nc1ccccc1;no;true\n"},
		{"tabs, not measured", "smiles\tA\tB, b\nCCO\tActive\tn/a\nc1ccccc1\tInactive\tyes\n"},
		{"not a number", "smiles,A,\"B, b\"\nCCO,1,NaN\nc1ccccc1,0,1\n"},
		{"names", "id,smiles,A,\"B, b\"\nZ1,CCO,1,\nZ2,c1ccccc1,0,1\n"},
		{"spaces", "smiles , A,\"B, b\"\n CCO ,1 , \nc1ccccc1,0, 1\n"},
		{"units of another column", "smiles,A,unit,\"B, b\"\nCCO,1,nM,\nc1ccccc1,0,nM,1\n"},
	} {
		got, err := read(t, tt.text, label.Settings{}, assay.Options{})
		if err != nil || !reflect.DeepEqual(tasksOf(got), want) || !reflect.DeepEqual(got.SMILES, []string{"CCO", "c1ccccc1"}) || !reflect.DeepEqual(got.Lines, []int{2, 3}) {
			t.Errorf("%s:\n got %+v (%v)\nwant %+v", tt.name, got, err, want)
		}
	}
}

// TestLinesAreThoseOfTheFile: blank lines, and line breaks inside quotes, count.
func TestLinesAreThoseOfTheFile(t *testing.T) {
	got, err := read(t, "smiles,A\n\nCCO,1\n\"CC\n\",0\nC,1\n", label.Settings{}, assay.Options{})
	if want := []int{3, 4, 6}; err != nil || !reflect.DeepEqual(got.Lines, want) {
		t.Errorf("lines %+v (%v), want %v", got, err, want)
	}
	got, err = read(t, "name,smiles,A\n\"acid\n(+)\",CCO,1\nb,CCN,0\n", label.Settings{}, assay.Options{})
	if want := []string{"acid (+)", "b"}; err != nil || !reflect.DeepEqual(got.Names, want) { // names must fit one line of a message
		t.Errorf("names %+v (%v), want %q", got, err, want)
	}
}

// ownAssays is a typical table of a research group: compounds, measurements of several assays with
// signs and units, a flag and a remark.
const ownAssays = `Compound;smiles;IC50 (nM);Inhibition;toxic;Remark
A-1;CCO;12;97,5;0;clean
A-2;CCN;>10000;3,5;1;
A-3;CCC;>100;;;see A-2
A-4;CCCl;1,5 uM;55;0;
`

func TestMeasurementsBecomeTasks(t *testing.T) {
	ic50 := task{"IC50 (nM)", []int32{0, 1, 3}, []uint8{1, 0, 0}} // >100 is undecided
	inhibition := task{"Inhibition", []int32{0, 1, 3}, []uint8{1, 0, 1}}
	toxic := task{"toxic", []int32{0, 1, 3}, []uint8{0, 1, 0}}
	standard := task{"Standard Value", []int32{0, 1}, []uint8{1, 0}}
	for _, tt := range []struct {
		name, text string
		settings   label.Settings
		want       []task
		summary    string // a part of the text of the tasks
	}{
		{"one column", ownAssays, label.Settings{Columns: "ic50 (nm)", Below: "1 uM"}, []task{ic50}, "1 active (below 1 uM), 2 inactive, 1 not decided; commas are before decimals: 1,5 uM is 1.5 (--decimal); values in nM, by the column's name (--value-unit)"},
		{"one threshold for each", ownAssays, label.Settings{Columns: "IC50 (nM); Inhibition; toxic", Below: "1;;", Above: ";50;", Units: "uM;;"}, []task{ic50, inhibition, toxic},
			"2 active (above 50), 1 inactive; commas are before decimals: 97,5 is 97.5 (--decimal)"},
		{"labels beside measurements remain labels", ownAssays, label.Settings{Above: "50", Columns: "toxic"}, []task{toxic},
			"1 active, 2 inactive"},
		{"also below one threshold for all", ownAssays, label.Settings{Columns: "IC50 (nM); toxic", Below: "1", Units: "uM"}, []task{ic50, toxic},
			`column "toxic" holds labels, to which no threshold applies (--active-words, --inactive-words)`},
		{"remarks in a column of signs", "smiles,IC50 (nM),Qualifier\nCCO,12,low\nCCN,5000,\n",
			label.Settings{Columns: "IC50 (nM)", Below: "1 uM"}, []task{{"IC50 (nM)", []int32{0, 1}, []uint8{1, 0}}},
			`column "Qualifier" is not read as signs, with cells such as "low" (--sign-column)`},
		{"a header is enough to recognise a column of names", "id,smiles,IC50 (nM),toxic,Remark\n1,CCO,12,0,clean\n2,CCN,>10000,1,\n3,CCC,>100,,\n4,CCCl,1.5 uM,0,\n", label.Settings{Below: "1 uM"}, []task{ic50, toxic},
			"1 active, 2 inactive"},
		{"row numbers of pandas", ",smiles,A\n0,CCO,1\n2,CCN,0\n1,CCC,1\n", label.Settings{},
			[]task{{"A", []int32{0, 1, 2}, []uint8{1, 0, 1}}}, ""},
		{"row numbers that pandas has read and written again", "Unnamed: 0,smiles,IC50 (nM)\n5,CCO,1\n6,CCN,9\n", label.Settings{Below: "2 nM"},
			[]task{{"IC50 (nM)", []int32{0, 1}, []uint8{1, 0}}}, ""},
		{"a column that is not a task", "smiles,A,MW\nCCO,1,46.1\nCCN,0,45.1\n", label.Settings{Ignore: "mw"},
			[]task{{"A", []int32{0, 1}, []uint8{1, 0}}}, ""},
		{"names and empty columns without a name", ",smiles,A,\nx,CCO,1,\ny,CCN,0,\n", label.Settings{},
			[]task{{"A", []int32{0, 1}, []uint8{1, 0}}}, ""},
		{"as ChEMBL writes it", "Smiles;Standard Type;Standard Relation;Standard Value;Standard Units\nCCO;IC50;'<';0.5;nM\nCCN;IC50;=;20;uM\n", label.Settings{Below: "1 uM"}, []task{standard},
			"1 active (below 1 uM), 1 inactive; signs from column \"Standard Relation\" (--sign-column); units from column \"Standard Units\" (--unit-column); types from column \"Standard Type\" (--type-column)"},
	} {
		got, err := read(t, tt.text, tt.settings, assay.Options{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		texts := []string{notesOf(got)}
		for i := range got.Tasks {
			texts = append(texts, got.Tasks[i].String())
		}
		if !reflect.DeepEqual(tasksOf(got), tt.want) || !strings.Contains(strings.Join(texts, "\n"), tt.summary) {
			t.Errorf("%s:\n got %+v\n%s\nwant %+v\n%s", tt.name, tasksOf(got), strings.Join(texts, "\n"), tt.want, tt.summary)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		text     string
		settings label.Settings
		want     string
	}{
		{"smiles,NR-AR\nCCO,1\n\nCC,x\n", label.Settings{}, `t.csv: row 4, column NR-AR: label "x" is neither active nor inactive`},
		{"smiles,A\nCCO,2\n", label.Settings{}, `t.csv: row 2, column A: label "2" is a measurement; define what is active with --active-below or --active-above and --unit, or choose another column with --label`},
		{"smiles,A,MW\nCCO,1,46.1\n", label.Settings{}, `t.csv: row 2, column MW: label "46.1" is a measurement; define what is active with --active-below or --active-above and --unit, or choose another column with --label, or leave this one out with --ignore`},
		{"smiles,A,MW\nCCO,1,46.1\n", label.Settings{Ignore: "weight"}, `t.csv: row 1: no column "weight" for --ignore among smiles, A, MW`},
		{"smiles,A\nCCO,1\n", label.Settings{Ignore: "A"}, `t.csv: row 1: no column of labels beside "smiles"`},
		{"smiles,A\n", label.Settings{}, "t.csv: no molecules below the header; write one molecule a row"},
		{"smiles\nCCO\n", label.Settings{}, `t.csv: row 1: no column of labels beside "smiles"; add a column of labels for each task`},
		{"smiles,A\nCCO,1\n", label.Settings{Columns: "smiles"},
			"t.csv: row 1, column smiles: holds the molecules; name a column of labels with --label"},
		{"smiles,A,B,A\nCCO,1,1,1\n", label.Settings{}, "t.csv: row 1, column A: named twice, columns 2 and 4; rename one of the two"},
		{"smiles,A,B,A\nCCO,1,1,0\n", label.Settings{Columns: "A"}, "t.csv: row 1, column A: named twice, columns 2 and 4"},
		{"smiles,Hit,B,hit\nCCO,1,1,0\n", label.Settings{Columns: "HIT"}, "t.csv: row 1, column Hit: named twice, columns 2 and 4"},
		{"smiles,smiles,A\nCCO,CCN,1\n", label.Settings{}, "t.csv: row 1: several columns hold molecules: smiles, smiles; rename one of them"},
		{"smiles,A,\nCCO,1,1\n", label.Settings{}, "t.csv: row 1: column 3 has no name; name it, or remove the column"},
		{ownAssays, label.Settings{Columns: "IC50", Below: "1 uM"}, `t.csv: row 1: no column "IC50" for labels among Compound, smiles, IC50 (nM), Inhibition, toxic, Remark; the nearest is "IC50 (nM)"`},
		{"smiles,IC50\nCCO,5\nCCN,roughly 7\n", label.Settings{Below: "1 uM"}, `t.csv: row 3, column IC50: "roughly 7" cannot be read as a measurement`},
		{"smiles,Remark\nCCO,good\n", label.Settings{Below: "1"}, `t.csv: row 1: no column of labels beside "smiles"; add a column of labels for each task`},
	} {
		_, err := read(t, tt.text, tt.settings, assay.Options{})
		if !badinput.Is(err) || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

// TestTheLikeliestColumn: the column that is chosen if one is required, or the error if it is ambiguous.
func TestTheLikeliestColumn(t *testing.T) {
	for _, tt := range []struct {
		text, below, want, notes string
	}{
		{"smiles,label\nC,1\nN,0\nO,\n", "", "label", ""},
		{"name,Active,smiles\na,1.0,CCO\nb,0,CCN\nc, ,CCC\n", "", "Active", ""},
		{"smiles,NR-AR\nC,1\nN,0\nO,\n", "", "NR-AR", ""},
		{"name,smiles,mw,hit or not\na,CCO,46.1,1\nb,CCN,45.1,0\n", "", "hit or not", `labels from column "hit or not" (--label)`},
		{"name,smiles,mw,IC50 (nM)\na,CCO,46.1,1\nb,CCN,45.1,5\n", "2", "IC50 (nM)", "the threshold in nM, as the values (--unit)"},
		{"smiles,active\nCCO,0\nCCN,1\n", "1", "active", `column "active" holds labels, to which no threshold applies (--label)`},
		{"smiles,a,b\nCCO,0,1\n", "", `t.csv: row 1: which column holds the labels is not clear from smiles, a, b; name it with --label, perhaps "a" or "b"`, ""},
		{"smiles,label,active\nCCO,0,1\n", "", `t.csv: row 1: which column holds the labels is not clear from smiles, label, active; name it with --label, perhaps "label" or "active"`, ""},
		{"Report\n\nsmiles,Ki (nM),IC50 (nM)\nCCO,0,1\n", "5", `t.csv: row 3: which column holds the labels is not clear from smiles, Ki (nM), IC50 (nM); name it with --label, perhaps "Ki (nM)" or "IC50 (nM)"`, ""},
	} {
		a, err := read(t, tt.text, label.Settings{Below: tt.below}, assay.Options{SingleColumn: true})
		var got string
		if err != nil {
			got = err.Error()
		} else {
			got = a.Tasks[0].Name
		}
		if got != tt.want || err == nil && notesOf(a) != tt.notes {
			t.Errorf("%q:\n got %s (%v)\nwant %s (%s)", tt.text, got, a, tt.want, tt.notes)
		}
	}
}

func TestTooMany(t *testing.T) {
	var text strings.Builder
	text.WriteString("smiles,active\n")
	for i := range 50 {
		_, _ = fmt.Fprintf(&text, "C%sO,%d\n", strings.Repeat("C", i), i%2)
	}
	var many *assay.TooMany
	if _, err := read(t, text.String(), label.Settings{}, assay.Options{SingleColumn: true, MaxLabelled: 20}); !errors.As(err, &many) || !badinput.Is(err) {
		t.Errorf("50 molecules where 20 are taken: %v", err)
	}
	if _, err := read(t, text.String(), label.Settings{}, assay.Options{SingleColumn: true, MaxLabelled: 50}); err != nil {
		t.Error(err)
	}
	// Other columns may have more cells than labels are taken, and rows without a label do not count.
	text.Reset()
	text.WriteString("smiles,ID,active,other\n")
	for i := range 100 {
		_, _ = fmt.Fprintf(&text, "C%sO,X%d,%s,1\n", strings.Repeat("C", i), i, []string{"1", "0", ""}[min(i, 2)])
	}
	o := assay.Options{SingleColumn: true, MaxLabelled: 2}
	if a, err := read(t, text.String(), label.Settings{}, o); err != nil || len(a.Tasks[0].Labels) != 2 {
		t.Errorf("two labels in 100 rows: %v", err)
	}
	text.WriteString("CN,X,,1\n")
	const want = "t.csv: more than 100 rows, with labels or without; keep those with labels; pacia predict takes any number"
	if _, err := read(t, text.String(), label.Settings{}, o); err == nil || err.Error() != want || errors.As(err, &many) {
		t.Errorf("two labels in 101 rows: %v, want %s", err, want)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := table.New("t.csv", strings.NewReader(text.String()), table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := assay.Read(ctx, r, assay.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"smiles,A\nCCO,1\n", "\ufeffsmiles,A,B\r\nCCO,,0.0\r\n", "A,smiles\n1,\"C\nC\"\n", "smiles;A\n", "", "smiles,A\n\"", "smiles,A\nC,2\n",
		ownAssays, "smiles,,IC50\n,,nM\nCCO,>,5\n",
	} {
		f.Add(seed, "1 uM")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, text, below string) {
		for _, o := range []assay.Options{{}, {SingleColumn: true}, {Unlabeled: true}} {
			a, err := read(t, text, label.Settings{Below: below}, o)
			if err != nil {
				var bad *badinput.Error
				if !errors.As(err, &bad) || bad.Fix == "" {
					t.Errorf("%q gives %#v, want a refusal with file and remedy", text, err)
				}
				continue
			}
			for _, task := range a.Tasks {
				if len(task.Rows) != len(task.Labels) || task.Values != nil && len(task.Values) != len(task.Rows) {
					t.Errorf("task %q: %d rows, %d labels", task.Name, len(task.Rows), len(task.Labels))
				}
				for i, row := range task.Rows {
					if int(row) >= len(a.SMILES) || i > 0 && row <= task.Rows[i-1] || task.Labels[i] > 1 {
						t.Errorf("task %q: row %d, label %d at %d of %d molecules", task.Name, row, task.Labels[i], i, len(a.SMILES))
					}
				}
				for _, n := range task.Notes {
					_ = note.Rows(n.Rows)
				}
			}
		}
	})
}
