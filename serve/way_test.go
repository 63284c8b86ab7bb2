package serve_test

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pacia/examples"
	"pacia/harness/golden"
	"pacia/internal/ui"
)

// measured writes a table as a German Excel saves it: an IC50 with decimal commas.
func measured(t *testing.T) string {
	t.Helper()
	f, err := os.Open("../examples/assay/support.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\ufeffName;SMILES;IC50 (µM)\r\n")
	for i, row := range rows[1:] {
		value := []string{"> 30", "12,5", "2,75"}[i%3]
		if row[1] == "1" {
			value = []string{"0,35", "<0,05", "0,72"}[i%3]
		}
		b.WriteString("A-" + string(rune('a'+i)) + ";" + row[0] + ";" + value + "\r\n")
	}
	b.WriteString("A-z;CCO;>0,5\r\n") // neither active nor inactive
	return file(t, "assay.csv", b.String())
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTheWayOfAChemist follows a chemist from two typical files to a ranked list that is
// sorted, filtered and downloaded, and then to a second assay beside the first.
func TestTheWayOfAChemist(t *testing.T) {
	url := start(t, nil)
	b := browse(t, url)
	b.picture("start")
	const first = "#assay-1 "
	b.do(chromedp.SetUploadFiles(first+".support input[type=file]", []string{measured(t)}))
	b.until(`document.querySelector("#assay-1 .support .problem")`)
	if text := b.text(first + ".support .problem"); !strings.Contains(text, "Choose below what is active.") {
		t.Errorf("the page shows the problem %q", text)
	}
	b.do(chromedp.SetValue(first+"[name=rule]", "active_below"))
	b.eval(`document.querySelector("#assay-1 [name=rule]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.do(chromedp.SendKeys(first+"[name=threshold]", "1\t"), chromedp.SetValue(first+"[name=unit]", "uM"))
	b.eval(`document.querySelector("#assay-1 [name=unit]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelector("#assay-1 .support .counts")?.innerText.includes("below 1 uM")`)
	if text := b.text(first + ".support .read"); !strings.Contains(text, "10 active") || !strings.Contains(text, "10 inactive") || !strings.Contains(text, "1 not decided (row 22 (A-z))") {
		t.Errorf("for the support set the page shows %q", text)
	}
	b.until(`[...document.querySelectorAll("#assay-1 .support .strip img")].filter(i => i.complete && i.naturalWidth).length > 3`)
	b.do(chromedp.SetUploadFiles(first+".library input[type=file]", []string{absolute(t, "../examples/assay/library.csv"), absolute(t, "../data/table/testdata/rdkit.sdf")}))
	b.until(`document.querySelector("#assay-1 .library .file")`)
	b.picture("read")
	b.do(chromedp.Click(first+".options summary"), chromedp.Focus(first+"[name=prior]"), chromedp.SendKeys(first+"[name=prior]", "2\r")) // Enter sends the form
	b.until(`document.querySelectorAll("#assay-1 tbody tr:not(.more)").length === 50`)
	if text := b.text(first + ".verdict"); text != "As good as similarity search here" {
		t.Errorf("the verdict is %q", text)
	}
	b.picture("ranked")
	all := strconv.Itoa(exampleRows + 5) // with those of rdkit.sdf
	rank := func() string { return b.text(first + "tbody tr:first-child .rank") }
	if rank() != "1" || !strings.HasPrefix(b.text(first+".count"), all+" molecules ranked in ") {
		t.Errorf("first is rank %q of %q", rank(), b.text(first+".count"))
	}

	// Sorted by the keyboard, filtered, searched, paged; details of a row.
	b.do(chromedp.Focus(first+"thead th:nth-child(6) button"), chromedp.KeyEvent("\r"))
	b.until(`document.querySelector("#assay-1 thead th[aria-sort=descending]")?.innerText.includes("Nearest active")`)
	b.until(`document.activeElement.closest("th")?.innerText.includes("Nearest active")`)
	b.do(chromedp.Click(first + ".next"))
	b.until(`document.querySelector("#assay-1 .where").innerText.startsWith("51 to 100 of ` + all + `")`)
	b.do(chromedp.Click(first + ".first"))
	b.until(`document.activeElement.matches("#assay-1 .next")`) // as .first is disabled now
	b.do(chromedp.SetValue(first+"[name=domain]", "outside"))
	b.eval(`document.querySelector("#assay-1 [name=domain]").dispatchEvent(new Event("input", {bubbles: true}))`)
	b.until(`/^\d+ of ` + all + ` molecules/.test(document.querySelector("#assay-1 .count").innerText)`)
	b.until(`![...document.querySelectorAll("#assay-1 tbody .domain")].some(d => d.innerText !== "outside")`)
	b.do(chromedp.SetValue(first+"[name=domain]", ""))
	b.do(chromedp.SendKeys(first+"[name=q]", "ibuprofen"))
	b.until(`document.querySelector("#assay-1 .count").innerText.startsWith("1 of ` + all + `")`)
	b.do(chromedp.Click(first + "tbody .last button"))
	b.until(`document.querySelector("#assay-1 tr.more dl")?.innerText.includes("rdkit.sdf")`)
	b.picture("details")

	// The download holds the rows that are shown.
	var csv string
	b.do(chromedp.Evaluate(`fetch(document.querySelector("#assay-1 a.csv").href).then(r => r.text())`, &csv, awaited))
	if lines := strings.Count(csv, "\n"); lines != 2 || !strings.Contains(csv, "buprofen") {
		t.Errorf("the file has %d lines: %s", lines, csv)
	}

	// A second assay beside the first, with the same library; and back by the keyboard.
	b.do(chromedp.Click("#add"), chromedp.WaitVisible("#assay-2 form"))
	b.until(`document.querySelector("#assay-2 .library .file")?.innerText.includes("library.csv")`)
	b.do(chromedp.Click("#assay-2 .support .paste summary"), chromedp.SendKeys("#assay-2 .support textarea", "smiles,active\nCCO,yes\nCCCO,yes\nCCN,no\nCCCN,no\nC(C,no\n"))
	b.until(`document.querySelector("#assay-2 .support .counts")?.innerText.includes("2 inactive")`)
	if text := b.text("#assay-2 .support .findings"); !strings.Contains(text, "row 6 left out, it cannot be read") {
		t.Errorf("for a molecule that cannot be read the page shows %q", text)
	}
	b.do(chromedp.Click("#assay-2 .primary"))
	b.until(`document.querySelectorAll("#assay-2 tbody tr:not(.more)").length === 50`)
	b.do(chromedp.Focus("#tab-2"), chromedp.KeyEvent(kb.ArrowLeft))
	b.until(`!document.querySelector("#assay-1").hidden && document.querySelector("#assay-2").hidden && document.activeElement.id === "tab-1"`)
	if text := b.text(first + ".count"); !strings.HasPrefix(text, "1 of "+all) {
		t.Errorf("the first assay shows %q now", text)
	}
	b.well()
}

// TestExampleInEveryShape ranks the example in a wide window, a narrow one, in dark colours and in print:
// nothing is wider than the window.
func TestExampleInEveryShape(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	scheme := func(name string) chromedp.Action {
		return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}})
	}
	b.do(scheme("dark"), chromedp.Click(".example")) // dark first: drawings are made once for each background
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".primary"))
	b.until(`document.querySelectorAll("tbody tr:not(.more)").length === 50`)
	narrow := `document.documentElement.scrollWidth <= innerWidth`
	top := chromedp.Evaluate(`document.querySelector(".trust").scrollIntoView({behavior: "instant"})`, nil)
	for _, shape := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"dark", 1360, 900, "dark"}, {"narrow_dark", 390, 844, "dark"}, {"wide", 1360, 900, "light"}, {"narrow", 390, 844, "light"}, {"tiny", 320, 640, "light"}} {
		b.do(scheme(shape.scheme), chromedp.EmulateViewport(shape.width, shape.height), top)
		var fits bool
		if b.do(chromedp.Evaluate(narrow, &fits)); !fits {
			t.Errorf("%s: the page is wider than the window", shape.name)
		}
		b.picture(shape.name)
		b.do(chromedp.Evaluate(`document.querySelector("tbody tr").scrollIntoView({behavior: "instant"})`, nil))
		b.picture(shape.name + "_rows")
	}
	b.do(chromedp.Evaluate(`scrollTo(0, 0)`, nil))
	b.picture("narrow_top")
	b.do(emulation.SetEmulatedMedia().WithMedia("print"), chromedp.EmulateViewport(800, 1130), chromedp.Evaluate(`scrollTo(0, 0)`, nil))
	b.picture("print")
	var shown bool
	if b.do(chromedp.Evaluate(`getComputedStyle(document.querySelector(".inputs")).display === "none" && getComputedStyle(document.querySelector(".trust")).display !== "none"`, &shown)); !shown {
		t.Error("the print shows the form, or lacks the panel")
	}
	b.well()
}

// TestCancelInThePage: after a long ranking is cancelled, the page can be used again. When the
// page is closed, the server removes its job.
func TestCancelInThePage(t *testing.T) {
	url := startWith(t, bare, nil)
	b := browse(t, url)
	library := "smiles\n" + strings.Repeat(strings.TrimPrefix(examples.Library, "smiles\n"), 100)
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "large.csv", library)}))
	large := ui.Grouped(100 * exampleRows)
	b.until(`document.querySelector(".library .file")?.innerText.includes("` + large + ` rows") && !document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".primary"))
	b.until(`/^Ranking: [\d,]+ of ` + large + `/.test(document.querySelector(".state").innerText)`)
	b.picture("progress")
	b.do(chromedp.Click(".cancel"))
	b.until(`document.querySelector(".progress").hidden && document.querySelector(".alert").innerText === "Cancelled."`)
	b.eval(`window.confirm = () => true`)
	b.do(chromedp.Click(".example"))
	b.until(fmt.Sprintf(`document.querySelector(".library .file")?.innerText.includes("%d rows") && !document.querySelector(".primary").disabled`, exampleRows))
	var job string
	b.eval(`performance.clearResourceTimings()`)
	b.do(chromedp.Click(".primary"))
	b.until(`document.querySelectorAll("tbody tr:not(.more)").length === 50`)
	b.do(chromedp.Evaluate(`document.querySelector("a.csv").href.split("/")[5]`, &job))
	if a := decode(t, send(t, "GET", url+"/v1/jobs/"+job)); a.State != "done" {
		t.Fatalf("the job %s is %q", job, a.State)
	}
	b.eval(`dispatchEvent(new Event("pagehide"))`) // under load a browser may cut a real one short
	for range 300 {
		if send(t, "GET", url+"/v1/jobs/"+job).StatusCode == 404 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Error("the page was closed, and its job still exists")
}

func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// TestAThousandInThePage ranks a library that has further columns, from the press of the button to the
// table. The time (docs/serve.md) is logged and not checked, because it depends on the load of the machine.
func TestAThousandInThePage(t *testing.T) {
	library := golden.Shared(t, "data/moleculenet/tox21.csv.gz")
	url := start(t, nil)
	b := browse(t, url)
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`) // the example's library has arrived and cannot replace the next one
	b.do(chromedp.SetUploadFiles(".library input[type=file]", []string{firstRows(t, library, 1000)}))
	b.until(`document.querySelector(".library .file")?.innerText.includes("1,000 rows") && !document.querySelector(".primary").disabled`)
	var ms, server float64
	before := processor(t)
	b.do(chromedp.Evaluate(`new Promise(done => {
		const begun = performance.now(), body = document.querySelector("tbody");
		body.replaceChildren();
		document.querySelector(".primary").click();
		const watch = new MutationObserver(() => {
			if (body.querySelectorAll("tr:not(.more)").length < 50) return;
			watch.disconnect();
			requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
		});
		watch.observe(body, {childList: true});
	})`, &ms, awaited), chromedp.Evaluate(`parseFloat(document.querySelector(".count").innerText.split(" in ")[1])`, &server))
	t.Logf("%.2f s from the button to the table, %.1f s of it on the server; its threads took %.2f s", ms/1000, server, processor(t)-before)
	b.well()
}

// firstRows writes the header and the first rows of a CSV file to a new file.
func firstRows(t *testing.T, path string, rows int) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	var b strings.Builder
	for n := 0; n <= rows && lines.Scan(); n++ {
		b.WriteString(lines.Text() + "\n")
	}
	return file(t, "library.csv", b.String())
}

// processor returns the CPU time of this process, in seconds.
func processor(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
