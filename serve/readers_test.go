package serve_test

import (
	"encoding/csv"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// record is a record of an SD file.
type record struct {
	name   string
	smiles string // of its block, by RDKit
	fields map[string]string
	order  []string
}

var (
	// countsLine matches the counts line of a V2000 block: atoms and bonds in three columns each, the version at the end.
	countsLine = regexp.MustCompile(`^( *\d+) *$`)
	fieldHead  = regexp.MustCompile(`^> {1,2}<([^<>]+)>$`)
)

// strictRecords reads an SD file strictly by the CTfile format (V2000), as DataWarrior and KNIME do. A record
// has three lines before the counts, as many lines of atoms and bonds as counted, and M  END. Data fields
// follow, each with a head in angle brackets and an empty line after its value, and then $$$$.
func strictRecords(t *testing.T, text string) (all []record) {
	t.Helper()
	if !strings.HasSuffix(text, "\n$$$$\n") || strings.ContainsAny(text, "\r\x00") {
		t.Fatalf("the SD file does not end with $$$$ and a line's end, or has other lines' ends")
	}
	for n, part := range strings.Split(strings.TrimSuffix(text, "$$$$\n"), "\n$$$$\n") {
		lines := strings.Split(strings.TrimSuffix(part, "\n"), "\n")
		if len(lines) < 5 || !strings.HasSuffix(lines[3], "V2000") || len(lines[3]) != 39 {
			t.Fatalf("record %d has the counts line %q", n+1, lines[min(3, len(lines)-1)])
		}
		count := func(from int) int {
			c, err := strconv.Atoi(strings.TrimSpace(lines[3][from : from+3]))
			if err != nil || !countsLine.MatchString(lines[3][from:from+3]) {
				t.Fatalf("record %d has the counts line %q", n+1, lines[3])
			}
			return c
		}
		end := slices.Index(lines, "M  END")
		if least := 4 + count(0) + count(3); end < least {
			t.Fatalf("record %d ends its block at line %d, before its %d atoms and bonds do", n+1, end+1, least-4)
		}
		smiles, _, err := rdkit.FromBlock(t.Context(), strings.Join(lines[:end+1], "\n"))
		if err != nil {
			t.Fatalf("record %d: RDKit: %v", n+1, err)
		}
		r := record{name: lines[0], smiles: smiles, fields: map[string]string{}}
		for i := end + 1; i < len(lines); i++ {
			head := fieldHead.FindStringSubmatch(lines[i])
			if head == nil {
				t.Fatalf("record %d: line %q is not the head of a field", n+1, lines[i])
			}
			first := i + 1
			for i = first; i < len(lines) && lines[i] != ""; i++ {
				continue
			}
			if _, twice := r.fields[head[1]]; twice || i == first {
				t.Errorf("record %d: field %q is there twice or without a value", n+1, head[1])
			}
			r.fields[head[1]] = strings.Join(lines[first:i], "\n")
			r.order = append(r.order, head[1])
		}
		all = append(all, r)
	}
	return all
}

// TestOtherReaders: users' names and values that look like the syntax of a file, and units, survive a round
// trip through an SD file read strictly and a CSV file read by RFC 4180.
func TestOtherReaders(t *testing.T) {
	url := start(t, nil)
	library := "smiles,name,\"price (€/mg), 2026\",<note>,batch no.\n" +
		"CCCCO,\"butanol, \"\"n\"\"\",12.5,\"two lines\n\n> <fake>\n$$$$\",007\n" +
		"CCCN,amine > 1,1e5,,B-2\nc1ccccc1C(=O)[O-].[Na+],salt,3,plain,B-3\n"
	posted := decode(t, post(t, url+"/v1/rank", field{"support", "s.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,20\nCCN,9000\nCCCCN,>10000\n"},
		field{"library", "l.csv", library}, field{name: "potency", value: "IC50 (nM)"}, field{name: "reasons", value: "2"}, field{name: "wait", value: "false"}))
	job := done(t, url+"/v1/jobs/"+posted.ID)
	text := body(t, send(t, http.MethodGet, job+"/ranked.csv"))
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll() // refuses rows of another length
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows (%v) in\n%s", len(rows), err, text)
	}
	at := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	records := strictRecords(t, body(t, send(t, http.MethodGet, job+"/ranked.sdf")))
	if len(records) != 3 {
		t.Fatalf("%d records, want 3", len(records))
	}
	for i, r := range records {
		row := rows[i+1]
		if want := at(row, "name"); r.name != want {
			t.Errorf("record %d is called %q, want %q", i+1, r.name, want)
		}
		for field, column := range map[string]string{"price (€/mg), 2026": "price (€/mg), 2026", "batch no.": "batch no.", "predicted": "predicted", "predicted_unit": "predicted_unit", "rank": "rank"} {
			if got, want := r.fields[field], at(row, column); got != want || want == "" {
				t.Errorf("record %d has %q in the field %s, want %q of the table", i+1, got, field, want)
			}
		}
		if r.fields["predicted_unit"] != "nM" {
			t.Errorf("record %d has the unit %q", i+1, r.fields["predicted_unit"])
		}
		if strings.HasPrefix(r.name, "butanol") && (r.fields["(note)"] != "two lines\n > <fake>\n $$$$" || r.smiles != "CCCCO") {
			t.Errorf("record %d has the note %q and the molecule %s", i+1, r.fields["(note)"], r.smiles)
		}
	}
}
