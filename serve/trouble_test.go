package serve_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pacia/examples"
)

// answering is JavaScript that replaces the server's answer to paths that contain a text, until answering("").
func answering(path, answer string) string {
	return `window.real ??= window.fetch; window.fetch = (url, options) => "` + path + `" && url.includes("` + path + `") ? Promise.resolve(` + answer + `) : window.real(url, options)`
}

// example ranks the example in a tab.
func example(b *tab) {
	b.t.Helper()
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.Click(".primary"))
	b.until(table)
}

// TestDrags: a card accepts files dragged onto it or its fields, and text dragged beside its fields. Text dragged
// onto a field goes into the field. Pictures of the page are ignored.
func TestDrags(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	drop := func(into, data string) string {
		return `(() => { const data = new DataTransfer(); ` + data + `; return ["dragover", "drop"].map(kind => {
			const e = new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true});
			document.querySelector("` + into + `").dispatchEvent(e); return e.defaultPrevented; }).join(); })()`
	}
	const text, picture, one = `data.setData("text/plain", "CCO")`, `data.setData("text/uri-list", "http://a/b"); data.setData("text/plain", "http://a/b")`, `data.items.add(new File(["CCO"], "one.smi"))`
	for _, tt := range []struct{ into, data, taken string }{
		{"[name=match]", text, "false,false"}, {".library textarea", text, "false,false"}, {"[name=assay]", text, "false,false"},
		{"[name=label]", text, "true,true"}, {".library .hint", picture, "true,true"},
		{"[name=assay]", one, "true,true"}, {"h1", one, "true,true"},
	} {
		var taken string
		if b.do(chromedp.Evaluate(drop(tt.into, tt.data), &taken)); taken != tt.taken {
			t.Errorf("%s onto %s: the page takes dragover and drop: %s, want %s", tt.data, tt.into, taken, tt.taken)
		}
	}
	if got := b.text(".support .file") + ", " + b.text(".library .file"); !strings.HasPrefix(got, "support.csv 20 rows, library.csv") {
		t.Errorf("the files are %q", got)
	}
	b.eval(drop(".library .hint", text))
	b.until(`document.querySelector(".library .file")?.innerText.includes("pasted text")`)
	b.eval(drop("[name=match]", one))
	b.until(`document.querySelector(".library .file")?.innerText.includes("one.smi")`)
	b.well()
}

// TestAServerInTrouble: the page reports a truncated answer, continues a ranking after a failed poll, and keeps
// saved results while the server is busy.
func TestAServerInTrouble(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	const cut, cutOff = `new Response('{"rows":')`, "answer was cut off"
	b.eval(answering("/v1/read", cut))
	b.do(chromedp.Click(".example"))
	b.until(`document.querySelector(".library .problem")?.innerText.includes("` + cutOff + `")`)
	b.eval(`window.confirm = () => true;` + answering("", ""))
	b.eval(`let polls = 0; const real = window.fetch; window.fetch = (url, o) => /jobs\/\w+$/.test(url) && !o && polls++ % 2 === 0 ? Promise.reject(new TypeError()) : real(url, o); undefined`)
	example(b)
	b.eval(answering("/rows", cut))
	b.do(chromedp.Click(".next"))
	b.until(`document.querySelector(".ranked .problem").innerText.includes("` + cutOff + `") && document.querySelectorAll("tbody tr:not(.more)").length === 50`)
	b.eval(answering("", ""))
	b.until(stored)
	b.eval(`fetch("/v1/jobs/" + document.querySelector("a.csv").href.split("/")[5], {method: "DELETE"})`)
	b.eval(answering("/v1/rank", `new Response('{"error": {"message": "busy"}}', {status: 503})`))
	b.do(chromedp.Click(".next"))
	b.until(`document.querySelector(".alert").innerText === "busy"`)
	b.eval(answering("", ""))
	b.eval(`dispatchEvent(Object.assign(new Event("pageshow"), {persisted: true}))`)
	b.until(table + ` && document.querySelector(".alert").hidden && !document.querySelector(".origin").hidden`)
	b.well()
}

// TestALateExample: an example that arrives late does not replace files that were chosen meanwhile.
func TestALateExample(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	b.eval(`window.real = window.fetch; window.fetch = async (url, options) => {
		if (url.endsWith("example")) await new Promise(go => { window.go = go; });
		return window.real(url, options); }; undefined`)
	b.do(chromedp.Click(".example"))
	b.do(chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "mine.csv", "smiles\nCCO\nCCN\nCCC\n")}))
	b.until(`window.go && document.querySelector(".library .file")`)
	b.eval(`window.go()`)
	b.until(`new Promise(done => setTimeout(() => done(true), 500))`)
	if got := b.text(".library .file"); !strings.HasPrefix(got, "mine.csv") {
		t.Errorf("the library is %q", got)
	}
	b.well()
}

// TestLongNames: with long names of columns and molecules, the page is not wider than the window and the names
// stay readable.
func TestLongNames(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	library := "smiles,name," + strings.Repeat("a long name of a column ", 8) + ",similarity\n"
	for _, row := range strings.Split(strings.TrimSpace(examples.Library), "\n")[1:60] {
		library += row + ",N-(4-hydroxyphenyl)acetamide hydrochloride monohydrate,1,2\n"
	}
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.SetUploadFiles(".library input[type=file]", []string{file(t, "long.csv", library)}))
	b.until(`document.querySelector(".library .file")?.innerText.includes("long.csv")`)
	b.do(chromedp.Click(".primary"))
	b.until(table)
	for _, width := range []int64{375, 834, 1280, 1400} {
		var fits, name int
		b.do(chromedp.EmulateViewport(width, 900), chromedp.Evaluate(`document.documentElement.scrollWidth`, &fits),
			chromedp.Evaluate(`document.querySelector("tbody .name").clientWidth`, &name))
		if int64(fits) > width || name < 80 {
			t.Errorf("in a window of %d pixels the page has %d, and a name %d", width, fits, name)
		}
	}
	var sorted []string
	b.do(chromedp.Evaluate(`[...document.querySelector("[name=sort]").options].map(o => o.value)`, &sorted))
	if slices.Contains(sorted, "similarity") || !slices.Contains(sorted, "column:similarity") {
		t.Errorf("the page sorts by %q; to the server similarity alone is not a column", sorted)
	}
	b.well()
}
