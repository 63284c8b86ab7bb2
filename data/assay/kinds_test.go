package assay_test

import (
	"strings"
	"testing"

	"pacia/data/assay"
	"pacia/data/label"
)

// TestKindsOfExports: tables exported by programs or written by people are read as they were meant, or
// refused. A letter for each row: a active, i inactive, u undecided, m without a label, x left out.
func TestKindsOfExports(t *testing.T) {
	uM := label.Settings{Below: "1", Units: "uM"}
	share := label.Settings{Above: "50", Units: "%"}
	words := label.Settings{}
	named := label.Settings{Below: "1", Units: "uM", Columns: "IC50"}
	for _, tt := range []struct {
		name, text string // @ is another molecule
		settings   label.Settings
		want       string // verdicts, or the beginning of the error
	}{
		{"CDD Vault, mean", `Molecule Name,CDD SMILES,IC50 uM (mean ± SD) n=3|C-1,@,0.5 ± 0.1|C-2,@,0.02 ± 0.004|C-3,@,> 10|C-4,@,5.5 ± 1.5`, uM, "aaii"},
		{"Dotmatics", `ID;SMILES;RESULT_TYPE;OPR;RESULT_VALUE;UNIT|1;@;IC50;;500;nM|2;@;IC50;<;20;nM|3;@;IC50;>;10000;nM|4;@;Hill;=;0.9;`, uM, "aaix"},
		{"words as signs", `ID,SMILES,Qual,IC50 (nM)|1,@,equal,500|2,@,less than,20|3,@,greater than,10000|4,@,GT,100`, uM, "aaiu"},
		{"other letters as signs", `ID,SMILES,IC50 (nM)|1,@,≦500|2,@,≪20|3,@,≫10000|4,@,⩾100|5,@,＞10000|6,@,ca. 20`, uM, "aaiuia"},
		{"ChEMBL", `Smiles;Standard Type;Standard Relation;Standard Value;Standard Units|@;IC50;'=';500;nM|@;IC50;'>';10000;nM|@;IC50;'=';5;ug.mL-1`, uM, "aix"},
		{"names of R", `id,smiles,IC50..uM..n.3.|1,@,0.5|2,@,0.02|3,@,10|4,@,5.5`, uM, "aaii"},
		{"names of pandas", `id,smiles,"('IC50', 'nM')"|1,@,500|2,@,20|3,@,10000|4,@,5500`, uM, "aaii"},
		{"names of a database", `id,smiles,ic50nm|1,@,500|2,@,20|3,@,10000|4,@,5500`, uM, "aaii"},
		{"a unit with a minus sign", `id,smiles,IC50 nmol·L−1|1,@,500|2,@,20|3,@,10000|4,@,5500`, uM, "aaii"},
		{"a unit in brackets below the header", `ID,SMILES,IC50|,,[nM]|1,@,500|2,@,20|3,@,10000|4,@,5500`, uM, "aaii"},
		{"KNIME", `"row ID","Molecule (SMILES)","IC50 (nM)"|"Row0","@",500|"Row1","@",20|"Row2","@",?|"Row3","@",5500`, uM, "aami"},
		{"GraphPad", `Compound,SMILES,IC50 (M)|A,@,5.0e-007|B,@,2.0E-8|C,@,~ 1.0e-005|D,@,Ambiguous`, uM, "aaiu"},
		{"a German Excel", `ID;SMILES;IC50 (M)|1;@;5,0E-07|2;@;2,00E-08|3;@;1,0E-05`, uM, "aai"},
		{"a Swiss Excel", `ID;SMILES;IC50 (nM)|1;@;500|2;@;20|3;@;10’000|4;@;5’500,5`, uM, "aaii"},
		{"decimal commas in another column", "ID\tSMILES\tMW\tIC50 (nM)|1\t@\t354,41\t1,250|2\t@\t206,28\t20,500|3\t@\t163,00\t3,125", uM,
			`t: row 2, column IC50 (nM): "1,250" may be 1.25 or 1250; write --decimal . or --decimal ,`},
		{"decimal commas in another column, points",
			"ID\tSMILES\tMW\tIC50 (nM)|1\t@\t354,41\t1.250|2\t@\t206,28\t20.500|3\t@\t163,00\t3.125", uM,
			`t: row 2, column IC50 (nM): "1.250" may be 1.25 or 1250; write --decimal . or --decimal ,`},
		{"decimal points in another column",
			"ID\tSMILES\tMW\tIC50 (nM)|1\t@\t354.41\t1,250|2\t@\t206.28\t20,500|3\t@\t163.00\t125", uM, "iia"},
		{"a minus sign", `ID,SMILES,Inhibition (%)|1,@,97|2,@,55 %|3,@,−80`, share, "aai"},
		{"a sentinel", `SMILES,IC50 (uM)|@,0.5|@,0.2|@,-999|@,0|@,4.5|@,8|@,8`, uM, "aaxxiii"},
		{"logarithms without a word", `SMILES,activity value|@,-6.5|@,-7.7|@,-5`, uM, `t: row 2, column activity value: "-6.5" is not a concentration`},
		{"a type of logarithms", `Smiles,Standard Type,Standard Value|@,-Log IC50,6.5|@,-Log IC50,7.7|@,-Log IC50,5`, uM, `t: column Standard Value: the values of`},
		{"the same, with a threshold for logarithms", `Smiles,Standard Type,Standard Value|@,-Log IC50,6.5|@,-Log IC50,7.7|@,-Log IC50,5`, label.Settings{Above: "6"}, "aai"},
		{"the header once more", `ID,SMILES,IC50 (nM)|1,@,500|ID,SMILES,IC50 (nM)|3,@,10000`, uM, "ai"},
		{"another table below", `ID;SMILES;IC50 (nM)|1;@;500|2;@;20|ID;SMILES;EC50 (uM)|3;@;10`, uM, `t: row 4: another header, with "EC50 (uM)" in place of "IC50 (nM)"`},
		{"a unit of concentrations beside", `ID;SMILES;Inhibition;Conc;Unit|1;@;97;10;uM|2;@;55;10;uM`, share, `t: row 2, column Inhibition: the unit uM cannot be compared`},
		{"errors before the units", `ID,SMILES,IC50,IC50 SEM,n,Units|1,@,500,12,3,nM|2,@,20,1,3,nM|3,@,5000,90,2,nM`, named, "aai"},
		{"errors before the signs", `ID,SMILES,IC50,IC50 std,Relation|1,@,0.5,12,=|2,@,0.3,1,>|3,@,5,90,>`, named, "aui"},
		{"bounds marked by 1", `ID,SMILES,IC50 (uM),Censored|1,@,0.5,0|2,@,10,1|3,@,40,0`, uM,
			`t: column IC50 (uM): column "Censored" may state which values are bounds, but "0" in it is not a sign; write <, > or = in its cells, or --sign-column none`},
		{"bounds marked by letters", `ID,SMILES,IC50 (uM),Qualifier|1,@,0.5,E|2,@,10,G|3,@,40,E`, uM, `t: column IC50 (uM): column "Qualifier" may state which values are bounds`},
		{"bounds marked by 1, not used", `ID,SMILES,IC50 (uM),Censored|1,@,0.5,0|2,@,10,1|3,@,40,0`, label.Settings{Below: "1", Units: "uM", Signs: "none"}, "aii"},
		{"remarks in a column of signs", `ID,SMILES,IC50 (uM),Qualifier|1,@,0.5,low solubility|2,@,10,ok`, uM, "ai"},
		{"no signs at all", `ID,SMILES,IC50 (uM),Qualifier|1,@,0.5,NA|2,@,10,NA`, uM, "ai"},
		{"an operator who is a person", `ID,SMILES,IC50 (uM),Operator|1,@,0.5,JS|2,@,10,AB`, uM, "ai"},
		{"units of another measurement", `ID,SMILES,IC50,Ki,Units|1,@,500,12,nM|2,@,20,1,nM|3,@,5000,90,nM`, named,
			`t: column IC50: the unit of its values is not known: the column of units, "Units", is nearer to "Ki"; write --unit-column with its name, or with none`},
		{"units of another measurement, the threshold's", `ID,SMILES,IC50,Ki,Units|1,@,0.5,12,uM|2,@,20,1,uM`, named, "ai"},
		{"predictions beside", `id,smiles,predicted,predicted_unit,IC50 (uM)|1,@,300,nM,0.5|2,@,300,nM,20`, uM, "ai"},
		{"what is inactive", `ID,SMILES,Inactive|1,@,0|2,@,1|3,@,1`, words, `t: column Inactive: 1 may be active or inactive`},
		{"decoys", `ID,SMILES,is_decoy|1,@,0|2,@,1|3,@,1`, words, `t: column is_decoy: 1 may be active or inactive`},
		{"what does not bind", `ID,SMILES,Non-binder|1,@,0|2,@,1|3,@,1`, words, `t: column Non-binder: 1 may be active or inactive`},
		{"what is not active", `ID,SMILES,Not active|1,@,0|2,@,1|3,@,1`, words, `t: column Not active: 1 may be active or inactive`},
		{"noninhibitors", `ID,SMILES,noninhibitor|1,@,0|2,@,1|3,@,1`, words, `t: column noninhibitor: 1 may be active or inactive`},
		{"both words in the name", `ID,SMILES,active or not active|1,@,0|2,@,1|3,@,1`, words, "iaa"},
		{"what is inactive, decided", `ID,SMILES,Inactive|1,@,0|2,@,1|3,@,1`, label.Settings{Active: "0", Inactive: "1"}, "aii"},
		{"what is inactive, in words", `ID,SMILES,Inactive?|1,@,active|2,@,inactive|3,@,inactive`, words, "aii"},
		{"full-width letters", `ID,SMILES,IC50（ｎM）|1,@,５００|2,@,20|3,@,＞10000`, uM, "aai"},
		{"a unit with an entity", `ID,SMILES,IC50 (&micro;M)|1,@,0.5|2,@,0.2|3,@,&gt;10`, label.Settings{Below: "1000", Units: "nM"}, "aai"},
		{"a unit of two words", `ID,SMILES,IC50 micro M|1,@,0.5|2,@,0.2|3,@,10`, label.Settings{Below: "1000", Units: "nM"}, "aai"},
		{"logarithms of PubChem", `PUBCHEM_RESULT_TAG,SMILES,PUBCHEM_ACTIVITY_SCORE,Potency,Fit_LogAC50|1,@,90,0.1,-7|2,@,80,0.9,-6.1|3,@,0,30,-4.5`, label.Settings{Below: "-6"}, "aai"},
		{"Genedata", "Compound,Smiles,qAC50 [M],Efficacy [%]|1,@,1e-7,90|2,@,9e-7,80|3,@,1e-5,20", uM, "aai"},
		{"a dose beside", `ID,SMILES,Conc (uM),IC50 (uM)|1,@,10,0.5|2,@,10,0.2|3,@,10,5`, uM, "aai"},
		{"logarithms, by the user", `ID,SMILES,AC50 (M)|1,@,-7|2,@,-6.1|3,@,-4.5`, label.Settings{Below: "-6", ValueUnit: "log"}, "aai"},
		{"negative logarithms, by the user", `ID,SMILES,AC50 (M)|1,@,7|2,@,6.1|3,@,4.5`, label.Settings{Above: "6", ValueUnit: "-log"}, "aai"},
		{"logarithms in a column of concentrations", `ID,SMILES,AC50 (M)|1,@,-7|2,@,-6.1|3,@,-4.5`, uM, `t: row 2, column AC50 (M): "-7" is not a concentration, and 3 of 3 cells are like it; where values are logarithms, write --value-unit log`},
		{"a scale of signs", `ID,SMILES,Binding|1,@,+++|2,@,++|3,@,+|4,@,-`, words, `t: column Binding: the cells are a scale, - + ++ +++; write which are active`},
		{"a scale of signs, counted", `ID,SMILES,Binding|1,@,+++|2,@,++|3,@,+|4,@,-`, label.Settings{Above: "1"}, "aaii"},
		{"a scale of signs, in words", `ID,SMILES,Binding|1,@,+++|2,@,++|3,@,+|4,@,-`, label.Settings{Active: "++"}, "aaii"},
		{"rows of one target", `ID,SMILES,Target,IC50 (uM)|1,@,Abl,0.5|2,@,hERG,0.2|3,@,Abl,5`, label.Settings{Below: "1", Units: "uM", Rows: "Target = abl\n"}, "ai"},
		{"rows of one dose", `ID,SMILES,Conc (n=3),Inhibition (%)|1,@,1,80|2,@,10,90|3,@,1.0,20`, label.Settings{Above: "50", Rows: "Conc (n=3) = 1"}, "ai"},
		{"rows of no target", `ID,SMILES,Target,IC50 (uM)|1,@,Abl,0.5|2,@,hERG,0.2`, label.Settings{Below: "1", Rows: "Target = Src"}, `t: column Target: no row fulfils "Target = Src"; its values are Abl, hERG`},
		{"rows by no column", `ID,SMILES,Target,IC50 (uM)|1,@,Abl,0.5|2,@,hERG,0.2`, label.Settings{Below: "1", Rows: "Targets = Src"}, `t: row 1: no column "Targets" for the rows of "Targets = Src"; the nearest is "Target"`},
		{"no label", `ID,SMILES,Active|1,@,1|2,@,0|3,@,n.t.|4,@,ND|5,@,#N/A|6,@,NULL|7,@,–|8,@,.`, words, "aimmmmmm"},
	} {
		text := strings.ReplaceAll(tt.text, "|", "\n")
		for i := range truth {
			text = strings.Replace(text, "@", truth[i].smiles, 1)
		}
		a, err := readForm(t, []byte(text), tt.settings)
		if err != nil {
			if !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
			}
			continue
		}
		if got := inOrder(a); got != tt.want {
			t.Errorf("%s: read as %s, want %s\n%s", tt.name, got, tt.want, notesOf(a))
		}
	}
}

// inOrder returns the verdicts of the rows.
func inOrder(a *assay.Assay) string {
	got := []byte(strings.Repeat("m", len(a.SMILES)))
	for k, row := range a.Tasks[0].Rows {
		got[row] = "ia"[a.Tasks[0].Labels[k]]
	}
	for _, left := range a.Tasks[0].Unlabelled {
		got[left.Row] = map[bool]byte{true: 'u', false: 'x'}[left.Verdict == label.Undecided]
	}
	return string(got)
}
