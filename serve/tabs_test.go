package serve_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pacia/examples"
	"pacia/serve"
)

// TestRankedAgainstAChangedTab: results are marked when the measured molecules of a tab that they are ranked against
// change, and when that tab is closed, which the page asks about.
func TestRankedAgainstAChangedTab(t *testing.T) {
	const second = "#assay-2 .support input[type=file]"
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click("#add"), chromedp.WaitVisible("#assay-2 form"),
		chromedp.SetUploadFiles(second, []string{file(t, "counter.csv", "smiles,active\nCCCl,1\nCCCN,1\nCCCC,0\n")}))
	b.until(`document.querySelector("#assay-2 .support .file")`)
	b.do(chromedp.Click("#tab-1"), chromedp.Click("#assay-1 .options summary"), chromedp.WaitVisible("#assay-1 [name=against]"))
	// A browser reports that the options are open a moment later. A box that is then replaced loses a press.
	b.eval(`{
		const box = document.querySelector("#assay-1 [name=against]");
		document.querySelector("#assay-1 .options").dispatchEvent(new Event("toggle"));
		if (!box.isConnected) throw new Error("the boxes are built again without a change");
	}`)
	b.do(chromedp.Click("#assay-1 [name=against]"))
	b.until(`document.querySelector("#assay-1 [name=against]").checked`)
	rank := func() {
		t.Helper()
		b.do(chromedp.Click("#assay-1 .primary"))
		b.until(table)
		b.until(`document.querySelector("#assay-1 .changed").hidden`)
	}
	rank()
	b.do(chromedp.SetUploadFiles(second, []string{file(t, "counter2.csv", "smiles,active\nCCCl,0\nCCCN,1\nCCCC,0\n")}))
	b.until(`!document.querySelector("#assay-1 .changed").hidden`)
	b.eval(`document.querySelector("#assay-1 .changed").scrollIntoView()`)
	b.picture("against-changed")
	b.until(`document.querySelector("#assay-2 .support .file")?.innerText.includes("counter2.csv")`)
	rank()
	b.eval(`window.confirm = (text) => { window.asked = text; return true; }`)
	b.do(chromedp.Click("#tab-2"), chromedp.Click("#assay-2 .close"))
	b.until(`window.asked.includes("Another assay is ranked against it") && !document.querySelector("#assay-1 .changed").hidden`)
	b.eval(`document.querySelector("#assay-1 .changed").scrollIntoView()`)
	b.picture("against-closed")
	b.well()
}

// TestColumnOfNumbers: where measurements are to be learnt as numbers and several columns have some, the page asks for
// the column, also beside a column of labels. Exploring without a batch is refused.
func TestColumnOfNumbers(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{file(t, "assay.csv",
		"smiles,active,IC50 (nM),Ki (nM)\nCCO,1,10,5000\nCCCO,1,30,4000\nCCCCO,1,90,3000\nCCN,0,3000,20\nCCCN,0,9000,10\n")}),
		chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "library.csv", "smiles\nCCCCCO\nCCCCCN\n")}))
	b.until(`!document.querySelector(".primary").disabled && document.querySelector(".support .counts")`)
	b.eval(`document.querySelector(".options").open = true; document.querySelector("[name=numbers]").click()`)
	b.until(`document.querySelector(".why").innerText === "Choose the column of measurements (What is active)." && document.querySelector(".primary").disabled`)
	if !strings.Contains(b.text(".labels"), "Decimal sign") {
		t.Error("the fields of what is active are not shown")
	}
	b.eval(`document.querySelector(".labels").scrollIntoView()`)
	b.picture("numbers-column")
	b.eval(`{
		const label = document.querySelector("[name=label]");
		label.value = "Ki (nM)";
		label.dispatchEvent(new Event("change", {bubbles: true}));
	}`)
	b.until(`!document.querySelector(".primary").disabled && document.querySelector(".support .counts")?.innerText.includes("Ki (nM)")`)
	b.do(chromedp.SendKeys("[name=explore]", "1"), chromedp.Click(".primary"))
	b.until(`document.querySelector(".alert").innerText.startsWith("Exploring has no effect")`)
	b.picture("explore-alone")
	b.eval(`document.querySelector("[name=explore]").value = ""`)
	b.do(chromedp.Click(".primary"))
	b.until(`document.querySelectorAll("tbody tr:not(.more)").length === 2 && document.querySelector("thead").innerText.includes("Potency")`)
	b.well()
}

// TestScaffoldsBesideAColumn: the page groups by the computed scaffold where the library has a column of this name, and
// offers one row of each only in a ranking with groups.
func TestScaffoldsBesideAColumn(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	const library = "smiles,scaffold\nCCCCCO,\nOc1ccccc1,\nCc1ccccc1,\nc1ccccc1CCN,\n"
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{file(t, "support.csv", examples.Support)}),
		chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "library.csv", library)}))
	b.until(`!document.querySelector(".primary").disabled`)
	const ranked = `document.querySelectorAll("tbody tr:not(.more)").length === 4 && document.querySelector(".progress").hidden`
	b.do(chromedp.Click(".primary"))
	b.until(ranked + ` && document.querySelector(".groups").hidden`)
	b.do(chromedp.Click(".options summary"), chromedp.Click("[name=columns][value=scaffold]"), chromedp.Click(".primary"))
	b.until(ranked + ` && !document.querySelector(".groups").hidden`)
	b.do(chromedp.Click("button.group"))
	b.until(`document.querySelector(".ranked [name=where]").value === "scaffold_2 = c1ccccc1" && document.querySelectorAll("tbody tr:not(.more)").length === 3`)
	b.picture("scaffolds")
	b.well()
}

// TestReloadAtTheLimit: a ranking whose files are just below the limit of an upload opens again after a reload. Results
// that a server refuses as too large stay in the project.
func TestReloadAtTheLimit(t *testing.T) {
	b := browse(t, startWith(t, bare, func(o *serve.Options) {
		o.MaxUpload = int64(len(examples.Support) + len(examples.Library) + 3000)
	}))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".primary"))
	b.until(table)
	b.until(stored)
	b.do(chromedp.Reload())
	b.until(table)
	if text := b.text(".alert"); text != "" {
		t.Errorf("after a reload the page shows %q", text)
	}
	b.eval(`(async () => {
		await fetch("/v1/jobs/" + document.querySelector(".csv").href.split("/")[5], {method: "DELETE"});
		const whole = window.fetch, refusal = () => new Response('{"error":{"message":"too large"}}', {status: 413});
		window.fetch = (to, o) => String(to).endsWith("/v1/rank") ? Promise.resolve(refusal()) : whole(to, o);
		document.querySelector("[name=descending]").click();
	})()`)
	b.until(`document.querySelector(".alert").innerText === "too large"`)
	b.until(`new Promise(done => setTimeout(() => done(true), 500))`)
	b.do(chromedp.Reload())
	b.until(table)
	b.well()
}
