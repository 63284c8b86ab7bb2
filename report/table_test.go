package report

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

// csvRows returns a table of a report in CSV.
func csvRows(t *testing.T, r *Report, name string) [][]string {
	t.Helper()
	at := slices.IndexFunc(tables, func(k kind) bool { return k.name == name })
	for i := range r.Sections {
		r.Sections[i].tables = []Table{tables[at].in(r.Sections[i])}
	}
	text, err := r.csv(name)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestNamesAreNotFormulas: names of tasks from a data set are not executed by a spreadsheet or a
// browser. Numbers stay numbers.
func TestNamesAreNotFormulas(t *testing.T) {
	rows := [][]string{{"task", "mean"}, {"=1+2", "-3.5"}, {"@x", "+1e-3"}, {"-x", ""}, {"a=b", "Inf"}}
	got, err := inCSV(rows)
	if err != nil {
		t.Fatal(err)
	}
	if want := "task,mean\n'=1+2,-3.5\n'@x,+1e-3\n'-x,\na=b,Inf\n"; string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := inMarkdown("<script>a & b\n</script>"); got != "&lt;script>a & b &lt;/script>" {
		t.Errorf("in Markdown it is %q", got)
	}
}
