package report

import (
	"bytes"
	"testing"
)

// TestNamesAreNotFormulas: names of tasks from a data set are not executed by a spreadsheet or a
// browser. Numbers stay numbers.
func TestNamesAreNotFormulas(t *testing.T) {
	var got bytes.Buffer
	rows := [][]string{{"task", "mean"}, {"=1+2", "-3.5"}, {"@x", "+1e-3"}, {"-x", ""}, {"a=b", "Inf"}}
	if err := writeTable(&got, rows); err != nil {
		t.Fatal(err)
	}
	if want := "task,mean\n'=1+2,-3.5\n'@x,+1e-3\n'-x,\na=b,Inf\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if got := inMarkdown("<script>a & b\n</script>"); got != "&lt;script>a & b &lt;/script>" {
		t.Errorf("in Markdown it is %q", got)
	}
}
