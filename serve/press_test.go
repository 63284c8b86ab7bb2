package serve_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"pacia/examples"
)

// asked is JavaScript that counts the requests for a ranking.
const asked = `performance.getEntriesByType("resource").filter(e => e.name.endsWith("/v1/rank")).length`

// TestFieldsTakeText: text pasted into a field stays in the field and does not replace the file of the card. A
// paste without text changes nothing. Given several files of measured molecules, the page reports that only
// one is read.
func TestFieldsTakeText(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	paste := func(into, text string) string {
		return `(() => { const data = new DataTransfer(); data.setData("text/plain", "` + text + `");
			const e = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
			document.querySelector("` + into + `").dispatchEvent(e); return e.defaultPrevented; })()`
	}
	fields := map[string]bool{"[name=match]": false, "[name=support_smiles]": false, "[name=label]": false, ".library .hint": true}
	for into, want := range fields {
		var taken bool
		if b.do(chromedp.Evaluate(paste(into, "c1ccccc1"), &taken)); taken != want {
			t.Errorf("pasted into %s: the card takes it: %v", into, taken)
		}
	}
	b.until(`document.querySelector(".library .file")?.innerText.includes("pasted text")`)
	b.do(chromedp.Evaluate(paste(".support .hint", ""), nil))
	if got := b.text(".support .file"); got != "support.csv 20 rows" {
		t.Errorf("the measured molecules are %q", got)
	}
	b.eval(`(() => { const data = new DataTransfer();
		for (const name of ["a.csv", "b.csv"]) data.items.add(new File(["smiles,active\nCCO,1\nCCN,0\n"], name));
		document.querySelector(".support").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); })()`)
	b.until(`document.querySelector(".support .file")?.innerText.includes("a.csv")`)
	if got := b.text(".support .problem"); got != "Only the first of the 2 files is read. Send all measured molecules in one file." {
		t.Errorf("given two files, the page shows %q", got)
	}
	b.well()
}

// TestPresses: a double click sends one request. A ranking after a cancelled one shows its progress. Windows
// between narrow and wide, and prints, show all columns.
func TestPresses(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.eval(`document.querySelector(".primary").click(); document.querySelector(".primary").click()`)
	b.until(`document.querySelectorAll("tbody tr:not(.more)").length === 50 && document.querySelector(".progress").hidden`)
	var n int
	if b.do(chromedp.Evaluate(asked, &n)); n != 1 {
		t.Errorf("a double click asks for %d rankings", n)
	}
	fits := func(media string, width int64) {
		t.Helper()
		var is bool
		b.do(emulation.SetEmulatedMedia().WithMedia(media), chromedp.EmulateViewport(width, 900),
			chromedp.Evaluate(`document.querySelector(".scroll").scrollWidth <= document.querySelector(".scroll").clientWidth`, &is))
		if !is {
			t.Errorf("%s, %d pixels wide: the table is wider than its place", media, width)
		}
	}
	for _, width := range []int64{840, 900, 1024, 1200, 1360} {
		fits("screen", width)
	}
	fits("print", 680) // A4 without its margins
	b.do(emulation.SetEmulatedMedia().WithMedia("screen"), chromedp.EmulateViewport(1360, 900))

	library := "smiles\n" + strings.Repeat(strings.TrimPrefix(examples.Library, "smiles\n"), 100)
	b.do(chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "large.csv", library)}))
	b.until(`!document.querySelector(".primary").disabled && document.querySelector(".library .file")?.innerText.includes("large.csv")`)
	b.do(chromedp.Click(".primary"))
	b.until(`document.querySelector(".state").innerText.startsWith("Ranking: ")`)
	b.eval(`document.querySelector(".cancel").click(); document.querySelector(".primary").click(); new Promise(r => setTimeout(r, 1200))`)
	b.until(`!document.querySelector(".progress").hidden || !document.querySelector(".outcome").hidden`)
	if text := b.text(".alert"); text != "" {
		t.Errorf("during a ranking the page shows %q", text)
	}
	b.do(chromedp.Click(".cancel"))
	b.well()
}

// TestUnitOfNumbers: the chosen unit of the measurements is used when they are learnt as numbers, without a
// threshold.
func TestUnitOfNumbers(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	text := "smiles,IC50\n"
	for i, row := range strings.Split(strings.TrimSpace(examples.Support), "\n")[1:] {
		smiles, _, _ := strings.Cut(row, ",")
		text += smiles + "," + strconv.Itoa(3+i*i*i) + "\n"
	}
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{file(t, "assay.csv", text)}))
	b.until(`document.querySelector(".support .problem")`)
	b.eval(`document.querySelector("[name=numbers]").click()`)
	b.until(`document.querySelector(".support .counts")`)
	b.do(chromedp.SetValue("[name=value_unit]", "nM"))
	b.eval(`document.querySelector("[name=value_unit]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`/below [\d.]+ nM/.test(document.querySelector(".support .counts")?.innerText)`)
	b.well()
}

// TestPercent: no probability below 1 is shown as 100 %.
func TestPercent(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	for p, want := range map[string]string{
		"0.99961": "> 99.9 %", "0.9972": "99.7 %", "0.9949": "99 %", "0.883": "88 %",
		"0.0996": "10 %", "0.0312": "3.1 %", "0.00123": "0.12 %", "0.00001": "< 0.01 %",
	} {
		var got string
		b.do(chromedp.Evaluate(`import("/dom.js").then(m => m.percent(`+p+`))`, &got, awaited))
		if got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
	}
}
