package serve_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pacia/examples"
)

// results are labels of the first molecules of the example's library: one of three is active.
func results(t *testing.T, molecules int) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(examples.Library)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("smiles,active\n")
	for i, row := range rows[1 : molecules+1] {
		active := 0
		if i%3 == 0 {
			active = 1
		}
		fmt.Fprintf(&b, "%s,%d\n", row[0], active)
	}
	return b.String()
}

// TestOutcome: later measurements are counted in the order of the ranks.
func TestOutcome(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, nil)
	job := ranked(t, url)
	var o struct {
		Known, Actives int
		First          []struct {
			First  int
			Chance float64
			Hits   struct {
				Ranking    float64
				Similarity *float64
			}
		}
		ROCAUC *struct{ Ranking float64 } `json:"roc_auc"`
	}
	text := body(t, post(t, job+"/outcome", field{"support", "results.csv", results(t, 60)}))
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	labels := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(results(t, 60)), "\n")[1:] {
		smiles, label, _ := strings.Cut(line, ",")
		labels[smiles] = label == "1"
	}
	known, actives, hits := 0, 0, 0.0
	for _, row := range decode(t, send(t, http.MethodGet, job+"/rows?limit=500")).Rows {
		active, is := labels[row.SMILES]
		if !is || row.InSupport != "" {
			continue
		}
		if known++; active {
			actives++
			if known <= 10 {
				hits++
			}
		}
	}
	if o.Known != known || o.Actives != actives || len(o.First) != 4 || o.First[1].First != 10 || o.First[1].Hits.Ranking != hits ||
		o.First[1].Hits.Similarity == nil || o.ROCAUC == nil {
		t.Errorf("the outcome is %s; want %d known, %d active, %v hits among the first 10", text, known, actives, hits)
	}
	r := post(t, job+"/outcome", field{"support", "results.csv", results(t, 60)}, field{name: "label", value: "hit"})
	if !strings.Contains(body(t, r), "read with the fields of the ranking") {
		t.Errorf("with a label of its own: %s", r.Status)
	}
	for name, f := range map[string]field{
		"nothing":   {name: "top", value: "1"},
		"no labels": {"support", "r.csv", "smiles\nCCO\n"},
	} {
		if r := post(t, job+"/outcome", f); r.StatusCode/100 != 4 {
			t.Errorf("%s: %s", name, r.Status)
		}
	}
}

// TestNextBatch: the batch contains only unmeasured molecules, and the answer states the changes since the
// previous round.
func TestNextBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	url := startWith(t, bare, nil)
	second := examples.Support + strings.TrimPrefix(results(t, 6), "smiles,active\n")
	a := body(t, post(t, url+"/v1/rank",
		field{"support", "round2.csv", second}, field{"before", "round1.csv", examples.Support}, field{"library", "library.csv", few},
		field{name: "batch", value: "5"}, field{name: "explore", value: "0.3"}, field{name: "top", value: "500"}))
	var got struct {
		Picked  int
		Changed string
		Batch   *struct{ First, Low, High int }
		First   []rankedRow
	}
	if err := json.Unmarshal([]byte(a), &got); err != nil || got.Picked != 5 || got.Batch == nil || got.Batch.First != 5 {
		t.Fatalf("%v: %.300s", err, a)
	}
	if want := "6 more molecules than in round1.csv, 2 of them active"; got.Changed != want {
		t.Errorf("changed is %q, want %q", got.Changed, want)
	}
	for _, row := range got.First {
		if row.Pick > 0 && row.InSupport != "" {
			t.Errorf("rank %d is picked and was measured", row.Rank)
		}
	}
	for _, f := range []field{{name: "batch", value: "0.5"}, {name: "explore", value: "-1"}, {name: "diverse", value: "3"}} {
		all := []field{{"support", "s.csv", labelled}, {"library", "l.csv", "CCO\n"}, {name: "batch", value: "5"}, f}
		if r := post(t, url+"/v1/rank", all...); r.StatusCode != http.StatusBadRequest {
			t.Errorf("%s %s: %s", f.name, f.value, r.Status)
		}
	}
}

// TestReportOfAJob: the report equals the one of pacia predict, and names in it are text, never HTML.
func TestReportOfAJob(t *testing.T) {
	url := start(t, nil)
	library := "name,smiles\n<script>alert(1)</script>,CCCCO\nb,CCCN\n"
	a := decode(t, post(t, url+"/v1/rank",
		field{"support", "<img src=x>.csv", labelled}, field{"library", "l.csv", library}, field{name: "wait", value: "false"}))
	job := url + "/v1/jobs/" + a.ID
	for decode(t, send(t, http.MethodGet, job)).State != "done" {
		time.Sleep(10 * time.Millisecond)
	}
	r := send(t, http.MethodGet, job+"/report.html")
	text := body(t, r)
	if r.StatusCode != http.StatusOK || !strings.Contains(text, "&lt;script&gt;alert(1)") ||
		strings.Contains(text, "<script") || strings.Contains(text, "<img") {
		t.Errorf("%s: %.500s", r.Status, text)
	}
	if policy := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "script") {
		t.Errorf("the report may %q", policy)
	}
}

// TestAfterTheRanking: the page shows the batch to measure next and compares later measurements, which survive
// a reload. Explanations of terms open by the keyboard.
func TestAfterTheRanking(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".options summary"), chromedp.SendKeys("[name=batch]", "8\r"))
	b.until(table)
	if text := b.text(".batch"); !strings.HasPrefix(text, "Measure next: 8 molecules. Actives to expect: ") {
		t.Errorf("the batch is %q", text)
	}
	b.do(chromedp.Focus(".what"), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("#what-probability").matches(":popover-open")`)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("#what-probability").matches(":popover-open") && document.activeElement.className === "what"`)
	b.do(chromedp.Click(".batch button"))
	b.until(`document.querySelectorAll(".ranked tbody tr:not(.more)").length === 8`)
	b.do(chromedp.Click(".since summary"), chromedp.SetUploadFiles("[name=measured]", []string{file(t, "<b>results.csv", results(t, 60))}))
	b.until(`document.querySelector(".hits table")`)
	text := b.text(".hits")
	if !strings.HasPrefix(text, "<b>results.csv: results of 60 ranked molecules, 20 of them active") {
		t.Errorf("the outcome is %q", text)
	}
	b.picture("since")
	b.until(stored)
	b.do(chromedp.Reload())
	b.until(`document.querySelector(".hits table")`)
	if got := b.text(".batch"); !strings.HasPrefix(got, "Measure next: 8") {
		t.Errorf("after a reload the batch is %q", got)
	}
	b.well()
}
