package serve_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pacia/examples"
)

// pastOf are two past assays of some molecules of the example's library and support set.
func pastOf() string {
	text := "smiles,first,second\n"
	for i, line := range append(strings.Fields(examples.Library)[1:], strings.Fields(strings.ReplaceAll(examples.Support, ",", " "))...) {
		if strings.ContainsAny(line, "cC") && i%5 > 0 {
			text += line + []string{",1,0", ",0,1", ",,1", ",1,"}[i%4] + "\n"
		}
	}
	return text
}

// TestHistory: past assays rank as those of the command do, their columns are those of saved results as well, and what was
// read of them is in a preview.
func TestHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url, past := start(t, nil), pastOf()
	before := field{"history", "my past.csv", past}
	preview := body(t, post(t, url+"/v1/read", before))
	if !strings.Contains(preview, `"past":2`) || strings.Contains(preview, "scratch") {
		t.Errorf("the preview is %s", preview)
	}
	table := func(job string) string { return body(t, send(t, http.MethodGet, job+"/ranked.csv")) }
	job := ranked(t, url, before)
	with, without := table(job), table(ranked(t, url))
	if !strings.Contains(with, ",past,past_active") || strings.Contains(without, "past") {
		t.Errorf("the tables begin with %.200s and %.200s", with, without)
	}
	state := body(t, send(t, http.MethodGet, job))
	if !strings.Contains(state, `"past":{"assays":2`) || strings.Contains(state, "scratch") {
		t.Errorf("the job is %s", state)
	}
	results := field{"results", "results.zip", body(t, send(t, http.MethodGet, job+"/results.zip"))}
	if again := table(ranked(t, url, before, results)); again != with {
		t.Errorf("saved results have another table:\n%s\nwant\n%s", again, with)
	}
	other := field{"history", "my past.csv", past + "CCCl,1,0\n"}
	posted := post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"}, other, results)
	if text := body(t, posted); !strings.Contains(text, "they belong to other files or settings") {
		t.Errorf("saved results of other past assays: %s", text)
	}
}

// longPast are measurements of the same molecules in two assays, a row each.
func longPast() string {
	text := "smiles,assay,protocol,pIC50\n"
	for i, line := range strings.Fields(pastOf())[1:] {
		smiles, _, _ := strings.Cut(line, ",")
		for k, assay := range []string{"a", "b"} {
			text += fmt.Sprintf("%s,%s,%d,%d\n", smiles, assay, (i+k)%2, (i*(3+k))%7)
		}
	}
	return text
}

// TestHistoryReading: a field beside the files states how they are read, one for all or one for each.
func TestHistoryReading(t *testing.T) {
	url := start(t, nil)
	reading := func(text string) field { return field{name: "history_reading", value: text} }
	long := field{"history", "long.csv", longPast()}
	preview := func(fields ...field) string { return body(t, post(t, url+"/v1/read", fields...)) }
	asked := preview(long)
	if !strings.Contains(asked, `rows may be of the assays of column \"assay\" or \"protocol\"`) ||
		!strings.Contains(asked, `write history_reading \"assay\" with the one that counts`) || strings.Contains(asked, "scratch") {
		t.Errorf("without a reading: %s", asked)
	}
	for text, want := range map[string]string{
		"assay": `"past":2`, "protocol": `"past":2`, "assay; assay = b": `"past":1`, "assay; --deciml ,": `has no option deciml`,
		"pIC50 > 6": "past assays have no threshold", "X": `no column \"X\" of past assays`,
	} {
		if got := preview(long, reading(text)); !strings.Contains(got, want) || strings.Contains(got, "scratch") {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	wide := field{"history", "past.csv", pastOf()}
	if got := preview(wide, long, reading(";"), reading("assay; assay = b")); !strings.Contains(got, `"past":3`) {
		t.Errorf("a reading for each file: %s", got)
	}
	const counts = "2 history_reading are not for 3 files of history; send one for all files, or one for each"
	files := []field{{"support", "s.csv", labelled}, {"library", "l.csv", "smiles\nCCO\n"}}
	ranked := func(fields ...field) string { return body(t, post(t, url+"/v1/rank", append(files, fields...)...)) }
	if got := ranked(wide, long, long, reading(";"), reading("assay")); !strings.Contains(got, counts) {
		t.Errorf("two for three files: %s", got)
	}
	if got := ranked(reading("assay")); !strings.Contains(got, "history_reading has no effect without history") {
		t.Errorf("without files: %s", got)
	}
}

// TestBadHistory: a wrong file of past assays is refused by its name, and not by that of a temporary file.
func TestBadHistory(t *testing.T) {
	url := start(t, nil)
	for name, text := range map[string]string{"no molecules.csv": "a,b\n1,2\n", "none/..": "", "one.csv": "smiles,x\nnot a molecule,1\n"} {
		answer := body(t, post(t, url+"/v1/rank", field{"support", "s.csv", labelled}, field{"library", "l.csv", "smiles\nCCO\n"},
			field{"history", name, text}))
		if !strings.Contains(answer, `"error"`) || strings.Contains(answer, "scratch") {
			t.Errorf("%s: %s", name, answer)
		}
	}
}
