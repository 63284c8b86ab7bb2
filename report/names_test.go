package report

import (
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestNames: a name may hold a setting with its value, and stands in labels, on axes and beside tasks. What the report
// does not have is refused.
func TestNames(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "a", 0, "model.relation.layers=2")
	fake(t, "b", 0, "model.relation.layers=5")
	r, err := Read([]string{"a", "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	task := r.Sections[0].Groups[0].Tasks[0].Name
	names, err := ParseNames([]string{"model.relation.layers=2=shallow", "model.relation.layers= layers of L ", task + "=p53"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Rename(names); err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(Measures{}); err != nil {
		t.Fatal(err)
	}
	if a, b := r.Sections[0].Groups[0].Label, r.Sections[0].Groups[1].Label; a != "shallow" || b != "layers of L=5" {
		t.Errorf("labels %q, %q", a, b)
	}
	written := ""
	for _, f := range r.figures() {
		written += f.Title + "\n" + string(f.SVG)
	}
	for _, want := range []string{"ROC-AUC over layers of L\n", `aria-label="layers of L"`, `aria-label="shallow (1 seed)"`, `aria-label="p53"`} {
		if !strings.Contains(written, want) {
			t.Errorf("the figures lack %s", want)
		}
	}
	if strings.Contains(written, `aria-label="`+task+`"`) {
		t.Errorf("a figure shows %s", task)
	}
	for text, want := range map[string]string{
		"a":    `--label "a" is not of the form OLD=NEW; write one such as "train.learning_rate=0.0005=rate 5e-4"`,
		"=b":   `--label "=b" is not of the form OLD=NEW`,
		"a= ":  `is not of the form OLD=NEW`,
		"x=p":  `--label "x=p" repeats a name of another --label; write each name once`,
		"o=p2": `--label "o=p2" repeats a name of another --label`,
	} {
		if _, err := ParseNames([]string{"o=p", text}); !badinput.Is(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := r.Rename(Names{"model.relation.layer": "x"}); !badinput.Is(err) || !strings.Contains(err.Error(), `nothing in the report is called "model.relation.layer"; did you mean "model.relation.layers"?`) {
		t.Errorf("an unknown name: %v", err)
	}
}
