package history

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/table"
	"pacia/model/shared/past"
)

// molecules are those of the tests, in the order in which @ stands for them.
var molecules = []string{"CCO", "CCN", "CCCl", "c1ccccc1", "CC(=O)O", "CCCC", "CCS", "c1ccncc1", "CC#N", "CCBr", "OCCO", "NCCN"}

// write writes a table with a row for each bar, in which @ is the next molecule and @3 molecule 3, and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	for i := len(molecules) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("@%d", i), molecules[i])
	}
	for i := 0; strings.Contains(text, "@"); i++ {
		text = strings.Replace(text, "@", molecules[i%len(molecules)], 1)
	}
	path := filepath.Join(t.TempDir(), name)
	return put(t, path, strings.ReplaceAll(text, "|", "\n")+"\n")
}

// put writes a file, and returns its path.
func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// read opens files of past assays, and returns what was told.
func read(t *testing.T, files ...string) (*Past, string, error) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	before := slog.Default()
	defer slog.SetDefault(before)
	var told bytes.Buffer
	slog.SetDefault(slog.New(slog.NewTextHandler(&told, nil)))
	p, err := Open(context.Background(), files, table.Options{}, Molecules{}, 1)
	return p, told.String(), err
}

// order returns the molecules of an assay by their ranks, the most active first: 3>0=1>2.
func order(p *Past, assay string) string {
	parts, _ := p.counting()
	at := slices.Index(p.Assays(), assay)
	type found struct {
		molecule int
		rank     uint8
	}
	var all []found
	for i, key := range moleculeKeys() {
		var labels []past.Label
		for _, part := range parts {
			labels = part.Append(labels, key)
		}
		for _, l := range labels {
			if int(l.Assay) == at {
				all = append(all, found{i, l.Rank})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return int(b.rank) - int(a.rank) })
	text := ""
	for k, f := range all {
		if k > 0 {
			text += map[bool]string{true: "=", false: ">"}[f.rank == all[k-1].rank]
		}
		text += fmt.Sprint(f.molecule)
	}
	return text
}

const (
	chembl = `"Molecule ChEMBL ID";"Molecule Name";"Molecule Max Phase";"Molecular Weight";"#RO5 Violations";"AlogP";"Compound Key";"Smiles";` +
		`"Standard Type";"Standard Relation";"Standard Value";"Standard Units";"pChEMBL Value";"Data Validity Comment";"Comment";"Uo Units";` +
		`"Ligand Efficiency BEI";"Ligand Efficiency LE";"Potential Duplicate";"Assay ChEMBL ID";"Assay Description";"Assay Type";"BAO Format ID";` +
		`"Assay Organism";"Assay Cell Type";"Target ChEMBL ID";"Target Name";"Target Organism";"Target Type";"Document ChEMBL ID";"Source ID";` +
		`"Document Year";"Standard Text Value";"Value"`
	chemblRow = `|"CHEMBL%d";"";"None";"180.2";"0";"1.3";"%da";"@%d";"%s";"'%s'";"%s";"%s";"";"";"";"UO_0000065";"19.1";"0.4";"False";"%s";` +
		`"Inhibition of %s";"B";"BAO_0000357";"Homo sapiens";"";"%s";"%s";"Homo sapiens";"SINGLE PROTEIN";"CHEMBL11";"1";"2009";"";"%s"`
)

// chemblOf returns an export of ChEMBL: two assays in different units and with bounds, and one of per cent.
func chemblOf() string {
	text := chembl
	add := func(i int, kind, sign, value, unit, assay, target string) {
		text += fmt.Sprintf(chemblRow, i, i, i, kind, sign, value, unit, assay, target, "CHEMBL_T"+target, target, value)
	}
	for i, v := range []string{"12", "1.5", "300", "25", "10"} {
		unit := []string{"nM", "uM", "nM", "nM", "uM"}[i]
		add(i, "IC50", map[bool]string{true: ">", false: "="}[i == 4], v, unit, "CHEMBL100", "Abl")
		add(i, "Ki", "=", v, "nM", "CHEMBL100", "Abl")
		add(11-i, "Inhibition", "=", v, "%", "CHEMBL200", "Src")
	}
	add(0, "IC50", "=", "14", "nM", "CHEMBL100", "Abl")
	add(6, "IC50", "=", "14", "ug.mL-1", "CHEMBL100", "Abl")
	add(6, "IC50", "=", "14", "nM", "CHEMBL300", "Src")
	return text
}

// TestForms: tables of past assays in the forms of databases and programs are read as they were meant.
func TestForms(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       map[string]string // the order of molecules in each assay that counts
		told       []string
	}{
		{"labels", `smiles,A,B,few,one|@0,1,0,1,1|@1,0,1,0,1|@2,1,,0,1|@3,0,0,1,1|@4,0,1,,1|@5,,yes,,1|@6,1,no,,1`,
			map[string]string{"A": "0=2=6>1=3=4", "B": "1=4=5>0=3=6"},
			[]string{"2 past assays, 7 molecules (2 left out, of fewer than 5 molecules or one value only: few, one)"}},
		{"mixed columns", `ID,SMILES,MW,cLogP,hERG IC50 (uM),CYP3A4 inhibition (%),Viability (%),pIC50 Abl,Toxic,remark|` +
			`1,@0,46,1,0.5,90,95,7,1,good|2,@1,45.5,1,20,10,20,5,0,bad|3,@2,64,1,>30,20,30,5.5,0,-|4,@3,78,1,2,30.5,99,6,1,x|5,@4,60,1,3,55,50,8,0,y`,
			map[string]string{"hERG IC50 (uM)": "0>3>4>1>2", "CYP3A4 inhibition (%)": "0>4>3>2>1", "Viability (%)": "1>2>4>0>3",
				"pIC50 Abl": "4>0>3>2>1", "Toxic": "0=3>1=2=4"},
			[]string{"5 past assays, 5 molecules", "2 columns of no assay: MW, cLogP"}},
		{"ChEMBL", chemblOf(),
			map[string]string{"CHEMBL100 IC50 (nM)": "0>3>2>1>4", "CHEMBL100 Ki": "1>4>0>3>2", "CHEMBL200": "9>8>11>7>10"},
			[]string{`assays by column Assay ChEMBL ID (--history`, "divided by units that cannot be compared: 1 assay: CHEMBL100"}},
		{"CDD Vault", `Molecule Name,CDD SMILES,Kinase panel: IC50 (nM),Kinase panel: IC50 (nM) n,Solubility (ug/mL)|C-1,@,> 10000,2,5|C-2,@,12 ± 3,2,50|` +
			`C-3,@,450,1,20|C-4,@,33,1,4|C-5,@,2000,3,7`,
			map[string]string{"Kinase panel: IC50 (nM)": "1>3>2>4>0", "Solubility (ug/mL)": "3>0>4>2>1"}, nil},
		{"CDD Vault, a row for each readout", `Molecule Name,CDD SMILES,Protocol Name,Readout Name,Value,Units|` +
			`C-1,@0,Abl,IC50,5,nM|C-1,@0,Abl,Ymax,95,%|C-2,@1,Abl,IC50,>1,uM|C-2,@1,Abl,Ymax,20,%|C-3,@2,Abl,IC50,70,nM|C-3,@2,Abl,Ymax,80,%|` +
			`C-4,@3,Abl,IC50,50,nM|C-4,@3,Abl,Ymax,60,%|C-5,@4,Abl,IC50,6,nM|C-5,@4,Abl,Ymax,70,%`,
			map[string]string{"Abl IC50": "0>4>3>2>1", "Abl Ymax": "0>2>4>3>1"}, nil},
		{"Dotmatics", `ID;SMILES;RESULT_TYPE;OPR;RESULT_VALUE;UNIT|1;@0;IC50;;500;nM|2;@1;IC50;<;0,02;uM|3;@2;IC50;>;10000;nM|4;@3;IC50;=;0,9;uM|5;@4;IC50;=;70;nM|` +
			`1;@0;Inhibition;;50;%|2;@1;Inhibition;<;90,5;%|3;@2;Inhibition;>;10;%|4;@3;Inhibition;=;9;%|5;@4;Inhibition;=;7;%`,
			map[string]string{"IC50": "1>4>0>3>2", "Inhibition": "1>0>2>3>4"}, nil},
		{"PubChem, a row for each molecule", `PUBCHEM_RESULT_TAG,PUBCHEM_SID,PUBCHEM_CID,PUBCHEM_EXT_DATASOURCE_SMILES,PUBCHEM_ACTIVITY_OUTCOME,PUBCHEM_ACTIVITY_SCORE,Potency|` +
			`RESULT_TYPE,,,,,,FLOAT|RESULT_UNIT,,,,,,MICROMOLAR|1,842,6602,@,Active,85,1.2|2,843,6603,@,Inactive,0,|3,844,6604,@,Inconclusive,40,20.5|` +
			`4,845,6605,@,Active,90,0.3|5,846,6606,@,Inactive,0,40|6,847,6607,@,Inactive,0,30.2`,
			map[string]string{"PUBCHEM_ACTIVITY_OUTCOME": "0=3>1=4=5", "PUBCHEM_ACTIVITY_SCORE": "3>0>2>1=4=5", "Potency": "3>0>2>5>4"}, nil},
		{"PubChem, a row for each measurement", `Activity,AID,SID,CID,Activity_Type,Activity_Qualifier,Activity_Value (uM),Assay_Name,SMILES|` +
			`Active,11,1,1,IC50,=,0.5,Abl assay,@0|Inactive,11,2,2,IC50,>,10,Abl assay,@1|Active,11,3,3,IC50,=,0.2,Abl assay,@2|Inactive,11,4,4,IC50,=,5,Abl assay,@3|` +
			`Active,11,5,5,IC50,=,0.9,Abl assay,@4|Active,22,1,1,Ki,=,0.5,Src assay,@0|Inactive,22,2,2,Ki,=,10,Src assay,@1|Active,22,3,3,Ki,=,0.7,Src assay,@2|` +
			`Inactive,22,4,4,Ki,=,5,Src assay,@3|Active,22,5,5,Ki,=,0.9,Src assay,@4`,
			map[string]string{"Abl assay: Activity": "0=2=4>1=3", "Abl assay: Activity_Value (uM)": "2>0>4>3>1", "Src assay: Activity": "0=2=4>1=3",
				"Src assay: Activity_Value (uM)": "0>2>4>3>1"}, nil},
		{"targets", `smiles,target,Kd|@0,Abl,5|@1,Abl,10000|@2,Abl,10000|@3,Abl,12|@4,Abl,900|@0,Src,7000|@1,Src,3|@2,Src,10000|@3,Src,4000|@4,Src,10000`,
			map[string]string{"Abl": "0>3>4>1=2", "Src": "1>3>0>2=4"}, nil},
		{"an assay of several targets", `smiles,assay,target,outcome|` +
			`@0,binding,Abl,1|@1,binding,Abl,0|@2,binding,Abl,0|@3,binding,Abl,1|@4,binding,Abl,0|@0,binding,Src,0|@1,binding,Src,1|@2,binding,Src,0|@3,binding,Src,0|@4,binding,Src,1`,
			map[string]string{"binding, Abl": "0=3>1=2=4", "binding, Src": "1=4>0=2=3"}, []string{"assays by column assay, target"}},
		{"no names of measurements", `smiles,ABL1,SRC|@0,43,10000|@1,10000,10000|@2,2.5,7|@3,10000,120|@4,10000,90`,
			map[string]string{"ABL1": "2>0>1=3=4", "SRC": "2>4>3>0=1"}, []string{"small values of 2 assays count as active"}},
		{"unknown side", `smiles,papp|@0,4|@1,1.5|@2,2.5|@3,10|@4,9`, map[string]string{"papp": "3>4>0>2>1"},
			[]string{"large values of 1 assay count as active, as neither names nor units state the side: papp"}},
		{"replicates", `smiles,A,pKi|@0,1,5|@0,1,6|OCC,0,9|@1,0,4|@2,0,4.5|@3,1,8|@4,1,5.5|@4,0,7|@5,0,3`,
			map[string]string{"A": "0=3>1=2=5", "pKi": "3>4>0>2>1>5"}, nil},
		{"plus signs", `smiles,B|@0,+++|@1,-|@2,+|@3,++|@4,+`, map[string]string{"B": "0>3>2=4>1"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, told, err := read(t, write(t, "past.csv", tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, name := range p.Assays() {
				got[name] = order(p, name)
			}
			for name, want := range tt.want {
				if got[name] != want {
					t.Errorf("%s: %s, want %s", name, got[name], want)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("read %v", p.Assays())
			}
			for _, text := range tt.told {
				if !strings.Contains(told, text) {
					t.Errorf("not told: %s", text)
				}
			}
			if t.Failed() {
				t.Log(told)
			}
		})
	}
}

// TestQuestions: a table that can be read in two ways is refused with a question, and the answer is understood.
func TestQuestions(t *testing.T) {
	const thousands = `smiles;IC50 (nM)|@0;1,250|@1;20,500|@2;3,125|@3;4,125|@4;7,000`
	const assays = `smiles,assay,protocol,pIC50|@0,a,p,5|@1,b,q,6|@2,a,p,7|@3,b,p,8|@4,a,q,5.5|@5,a,q,5.7|@6,b,q,4|@7,a,p,6.5|@8,b,p,8.5|@9,a,q,4.5`
	const inactive = `smiles,Inactive,X|@0,1,1|@1,0,0|@2,1,0|@3,1,1|@4,0,0`
	for _, tt := range []struct {
		name, text, how string
		want            string // the order in the first assay, or a part of the error
	}{
		{"thousands", thousands, "", `may be 1.25 or 1250; write --decimal . or --decimal ,, for past assays as --history`},
		{"thousands, answered", thousands, ":; --decimal .", "0>2>3>4>1"},
		{"two columns of assays", assays, "", `rows may be of the assays of column "assay" or "protocol"; write --history`},
		{"two columns of assays, answered", assays, ":assay", "2>7>5>4>0>9"},
		{"inactive", inactive, "", "1 may be active or inactive in a column called"},
		{"inactive, answered", inactive, ":; --active-words 0; --inactive-words 1", "1=4>0=2=3"},
		{"one column", `smiles,A,B|@0,1,0|@1,0,0|@2,1,1|@3,0,0|@4,0,1`, ":B", "2=4>0=1=3"},
		{"rows", `smiles,assay,A|@0,x,1|@1,x,0|@2,x,1|@3,x,0|@4,x,0|@0,y,0|@1,y,0|@2,y,1|@3,y,0|@4,y,0`, ":assay; assay = y", "2>0=1=3=4"},
		{"a type", `smiles,Standard Type,Standard Value|@0,Ki,5|@1,Ki,6|@2,Ki,7|@3,Ki,8|@4,Ki,9|@0,IC50,7|@1,IC50,9`, ":; --type Ki", "0>1>2>3>4"},
		{"no such column", inactive, ":Y", `no column "Y" of past assays`},
		{"a threshold", inactive, ":X > 5", "past assays have no threshold"},
		{"an unknown option", inactive, ":; --deciml ,", "has no option --deciml"},
		{"molecules only", `smiles,name|@0,a|@1,b`, "", "no column of labels or measurements"},
		{"too few", `smiles,X|@0,1|@1,0`, "", "none of 1 past assay has 5 molecules and two different values"},
		{"two columns of one name", `smiles,X,X|@0,1,0|@1,0,0|@2,1,1|@3,0,0|@4,0,1`, "", "named twice"},
		{"no molecules", `name,X|a,1|b,0`, "", "column"},
	} {
		p, _, err := read(t, write(t, "past.csv", tt.text)+tt.how)
		switch {
		case err != nil && !strings.Contains(err.Error(), tt.want):
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		case err == nil && order(p, p.Assays()[0]) != tt.want:
			t.Errorf("%s: %s %s, want %s", tt.name, p.Assays(), order(p, p.Assays()[0]), tt.want)
		}
	}
}

// TestFiles: assays of one name in two files are both kept, a file that is given twice counts once, and a file is read from
// its graph store as it was read first.
func TestFiles(t *testing.T) {
	one := write(t, "one.csv", `smiles,A,B (nM)|@0,1,5|@1,0,50|@2,1,500|@3,0,7|@4,0,9`)
	two := write(t, "two.csv", `smiles,A|@5,1|@6,0|@7,1|@3,0|@4,0`)
	p, told, err := read(t, one, two, one)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"one.csv: A", "B (nM)", "two.csv: A"}; !slices.Equal(p.Assays(), want) {
		t.Errorf("assays %v, want %v", p.Assays(), want)
	}
	for _, text := range []string{"is given twice, and counts once", "1 name of an assay is in several files, and called FILE: NAME: A"} {
		if !strings.Contains(told, text) {
			t.Errorf("not told: %s\n%s", text, told)
		}
	}
	if n := p.Memory().Molecules(); n != 8 {
		t.Errorf("%d molecules, want 8", n)
	}
	if n := len(p.Files()); n != 2 {
		t.Errorf("%d files", n)
	}
	again, err := Open(t.Context(), []string{one, two}, table.Options{}, Molecules{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range p.Assays() {
		if got, want := order(again, name), order(p, name); got != want {
			t.Errorf("%s: %s from the store, %s before", name, got, want)
		}
	}
	if again.files[0].built {
		t.Error("the second time, the file is read again")
	}
}

// moleculeKeys returns the keys of the molecules of the tests.
func moleculeKeys() []uint64 { return keysOf(molecules...) }
