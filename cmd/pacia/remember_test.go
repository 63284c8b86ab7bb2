package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestRemember: a model that remembers past assays ranks as with their files, to the byte; in two steps the file is that of
// both at once; an assay that is taken away was never there; and files of one name and assay take the place of earlier ones.
func TestRemember(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	assayFolder(t)
	put(t, "past.csv", pastOf(t, "support.csv", "library.csv"))
	put(t, "new.csv", strings.ReplaceAll(pastOf(t, "library.csv"), "smiles,kinase A,kinase B,toxicity", "smiles,hERG,kinase B,CYP3A4"))
	read := func(name string) []byte {
		t.Helper()
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	same := func(a, b string) {
		t.Helper()
		if !bytes.Equal(read(a), read(b)) {
			t.Errorf("%s and %s differ", a, b)
		}
	}
	rank := []string{"predict", "--support", "support.csv", "--candidates", "library.csv"}
	ok(t, append(rank, "--history", "past.csv", "--out", "history.csv")...)
	ok(t, "remember", "--history", "past.csv", "--no-tune", "--out", "mine.safetensors")
	out := ok(t, append(rank, "--checkpoint", "mine.safetensors", "--out", "mine.csv")...)
	if !strings.Contains(out, "with a history of 3 past assays and ") || !strings.Contains(out, "support molecules and ") {
		t.Errorf("the report is without the model's past assays:\n%s", out)
	}
	same("history.csv", "mine.csv")

	ok(t, "remember", "--history", "past.csv", "--history", "new.csv", "--no-tune", "--out", "both.safetensors")
	ok(t, "remember", "--model", "mine.safetensors", "--history", "new.csv", "--no-tune", "--out", "mine.safetensors")
	same("both.safetensors", "mine.safetensors")
	ok(t, "remember", "--checkpoint", "both.safetensors", "--history", "new.csv", "--no-tune", "--out", "again.safetensors")
	same("both.safetensors", "again.safetensors")

	put(t, "copy.csv", string(read("new.csv")))
	ok(t, "remember", "--checkpoint", "both.safetensors", "--history", "copy.csv", "--no-tune", "--out", "copy.safetensors")
	same("both.safetensors", "copy.safetensors")
	ok(t, append(rank, "--checkpoint", "mine.safetensors", "--specific", "--out", "specific.csv")...)

	var list rememberedAssays
	if err := json.Unmarshal([]byte(ok(t, "remember", "--checkpoint", "mine.safetensors", "--list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range list.Assays {
		names = append(names, a.Name)
		if a.Molecules == 0 || a.Actives == 0 || a.Values || a.Added == "" || a.File == "" {
			t.Errorf("listed %+v", a)
		}
	}
	if got, want := strings.Join(names, "; "), "kinase A; past.csv: kinase B; toxicity; hERG; new.csv: kinase B; CYP3A4"; got != want {
		t.Errorf("the list is %s, want %s", got, want)
	}
	ok(t, "remember", "--checkpoint", "mine.safetensors", "--forget", "new.csv: kinase B", "--forget", "hERG", "--forget", "CYP3A4", "--no-tune", "--out", "less.safetensors")
	ok(t, "remember", "--history", "past.csv", "--no-tune", "--out", "never.safetensors")
	same("never.safetensors", "less.safetensors")
	tuned := ok(t, "remember", "--history", "past.csv", "--history", "new.csv", "--out", "tuned.safetensors")
	for _, text := range []string{"ROC-AUC", "how often a molecule was active", "all together"} {
		if !strings.Contains(tuned, text) {
			t.Errorf("no %q in\n%s", text, tuned)
		}
	}
	ok(t, "remember", "--history", "past.csv", "--out", "one.safetensors")
	ok(t, "remember", "--checkpoint", "one.safetensors", "--history", "new.csv", "--out", "steps.safetensors")
	same("tuned.safetensors", "steps.safetensors")
	ok(t, "remember", "--checkpoint", "steps.safetensors", "--forget", "new.csv", "--out", "steps.safetensors")
	same("one.safetensors", "steps.safetensors")
	ok(t, "remember", "--checkpoint", "mine.safetensors", "--forget", "past.csv", "--forget", "new.csv", "--out", "none.safetensors")
	ok(t, append(rank, "--out", "without.csv")...)
	ok(t, append(rank, "--checkpoint", "none.safetensors", "--out", "none.csv")...)
	same("without.csv", "none.csv")
	ok(t, "export", "mine.safetensors", "--out", "exported.safetensors")
	ok(t, append(rank, "--checkpoint", "exported.safetensors", "--out", "exported.csv")...)
	same("without.csv", "exported.csv")

	flipped := read("mine.safetensors")
	flipped[len(flipped)/2] ^= 4
	put(t, "flipped.safetensors", string(flipped))
	put(t, "past-column.csv", "smiles,past\nCCO,1\nCCN,2\n")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"remember", "--out", "o.safetensors"}, "neither --history nor --forget nor --list"},
		{[]string{"remember", "--list", "--forget", "A"}, "changes nothing"},
		{[]string{"remember", "--forget", "kinase A", "--out", "o.safetensors"}, "the model knows no past assays"},
		{[]string{"remember", "--checkpoint", "mine.safetensors", "--forget", "kinase B", "--out", "o.safetensors"}, `several files have an assay "kinase B"`},
		{[]string{"remember", "--checkpoint", "mine.safetensors", "--forget", "kinase C", "--out", "o.safetensors"}, "the model knows no past assay kinase C"},
		{[]string{"remember", "--history", "past.csv", "--out", "past.csv"}, "past.csv"},
		{append(rank, "--checkpoint", "flipped.safetensors", "--out", "o.csv"), "checksum is wrong"},
		{[]string{"predict", "--support", "support.csv", "--candidates", "past-column.csv", "--checkpoint", "mine.safetensors", "--out", "o.csv"},
			"the ranked table gets a column of this name"},
	} {
		refused(t, tt.want, tt.args...)
	}
}
