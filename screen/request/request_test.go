package request_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/request"
	"pacia/screen/shards"
	"pacia/screen/why"
)

var update = flag.Bool("update", false, "write docs/fields.md")

const page = "../../docs/fields.md"

// TestDocs compares docs/fields.md with the declaration.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Fields of a ranking\n\nThe flags of [`pacia predict`](ranking.md), `next` and `score`, and the fields of requests to\n" +
		"[`pacia serve`](serve.md), in a form or in JSON. Their declaration writes this page.\n\n" +
		"| flag | field | commands | values | meaning |\n|---|---|---|---|---|\n")
	for _, f := range request.Fields() {
		name, _ := f.Flag()
		if name != "" {
			name = "`--" + name + "`"
		}
		field, commands := "", f.Tag("only")
		if sent, _ := f.Sent(); sent {
			field = "`" + f.Name + "`"
		}
		if commands == "" && name != "" {
			commands = "predict next score"
		}
		values := f.Range
		if f.Files() > 0 {
			values = "file"
		} else if all := f.Offered(); values == "" && len(all) > 0 {
			values = "such as " + strings.Join(all, " ")
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, field, commands, strings.ReplaceAll(values, "|", `\|`), f.Usage("`"))
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != b.String() {
		t.Errorf("docs/fields.md (%v) is not that of the declaration: run this test with -update", err)
	}
}

// TestLimits: ranges of tags are those of the packages that do the work.
func TestLimits(t *testing.T) {
	for name, most := range map[string]int{"diverse": screen.MostPicks, "batch": screen.MostPicks, "reasons": why.MaxExplained, "shards": shards.MaxParts} {
		f, _ := request.Find(name)
		if want := fmt.Sprintf("1 to %d", most); f.Range != want {
			t.Errorf("%s: %s, want %s", name, f.Range, want)
		}
	}
	if f, _ := request.Find("columns"); !strings.Contains(f.Doc, strings.Join(ranking.Described, ",")) {
		t.Errorf("columns: %s", f.Doc)
	}
}

// TestEveryFieldIsEverywhere: each field has a flag, is in requests and has an input, or the reason for which it is not.
func TestEveryFieldIsEverywhere(t *testing.T) {
	for _, f := range request.Fields() {
		flag, noFlag := f.Flag()
		sent, notSent := f.Sent()
		where, noInput := f.Page()
		if (flag == "") != (noFlag != "") || sent != (notSent == "") || f.Doc == "" || f.Usage("`") == f.Doc && strings.Contains(f.Doc, "'") {
			t.Errorf("%s: flag %q (%s), in requests %v (%s), doc %q", f.Name, flag, noFlag, sent, notSent, f.Doc)
		}
		if f.Tag("title") != "" && where == "" && noInput == "" {
			t.Errorf("%s has a title, and no place on the page", f.Name)
		}
	}
}

// TestSet: a wrong value is refused by what the field holds.
func TestSet(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"top", "many", `--top cannot be "many"; write a whole number`},
		{"top", "-1", "--top -1 is out of range; write 1 or more"},
		{"explore", "far", `--explore cannot be "far"; write a number`},
		{"explore", "2000", "--explore 2000 is out of range; write a number from 0 to 1000"},
		{"as_drawn", "maybe", `--as-drawn cannot be "maybe"; write true or false`},
		{"repeats", "drop", `--repeats "drop" is not known; write merge or keep`},
		{"header", "x", `--header cannot be "x"; write a whole number, or none`},
		{"header", "None", ""}, {"diverse", "0", ""}, {"match", "CCO", ""},
	} {
		f, known := request.Find(tt.name)
		err := f.Set(new(request.Request), tt.text)
		if text := fmt.Sprint(err); !known || (err == nil) != (tt.want == "") || err != nil && (text != tt.want || !badinput.Is(err)) {
			t.Errorf("%s=%s: %v, want %s", tt.name, tt.text, err, tt.want)
		}
	}
}

// TestRules: a field without an effect is refused, and several texts make a list.
func TestRules(t *testing.T) {
	for _, tt := range []struct{ fields, want string }{
		{"explore=1", "--explore has no effect without --batch; also write --batch, or leave it out"},
		{"value_unit=nM", "--value-unit has no effect without --active-below, --active-above or --potency; also write --active-below, --active-above or --potency, or leave it out"},
		{"against=a.csv prior=2%", "--against has no effect with --prior; leave out one of them"},
		{"diverse=5 batch=5", "--diverse has no effect with --batch; leave out one of them"},
		{"potency=a label=b", "--potency names another column than --label; leave out --label"},
		{"prior=2", `--prior "2" is not a share of actives; write a number between 0 and 1, such as 0.02, or per cent, such as 2%`},
		{"explore=1 batch=5 match=C match=N prior=2%", ""},
	} {
		r, given := request.New(), map[string]bool{}
		for _, one := range strings.Fields(tt.fields) {
			name, text, _ := strings.Cut(one, "=")
			f, _ := request.Find(name)
			if err := f.Set(&r, text); err != nil {
				t.Fatal(err)
			}
			given[name] = true
		}
		err := r.Check(t.Context(), func(name string) bool { return given[name] })
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.fields, err, tt.want)
		}
		if err == nil && (len(r.Wanted.Match) != 2 || r.Share() != 0.02) {
			t.Errorf("%s: %+v, a share of %v", tt.fields, r.Wanted, r.Share())
		}
	}
}
