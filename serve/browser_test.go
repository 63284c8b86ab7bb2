package serve_test

import (
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A tab is a page of a real browser, in which whatever goes wrong is kept.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	trouble []string // of scripts, the policy, and requests that leave the server
}

// browse opens the page of a server, or skips the test where there is no browser.
func browse(t *testing.T, url string) *tab {
	t.Helper()
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no browser: apt-get install chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.WindowSize(1360, 900))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to make one for root
	}
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.trouble = append(b.trouble, "script: "+e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				b.trouble = append(b.trouble, "console: "+string(e.Args[0].Value))
			}
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, url+"/") && !strings.HasPrefix(u, "blob:") {
				b.trouble = append(b.trouble, "a request leaves the server: "+u)
			}
		}
	})
	b.do(network.Enable(), chromedp.Navigate(url+"/"), chromedp.WaitVisible("form .primary"))
	return b
}

func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page says %q; trouble %v", err, b.text("main"), b.trouble)
	}
}

// text is what the page shows of an element.
func (b *tab) text(selector string) (text string) {
	_ = chromedp.Run(b.ctx, chromedp.Evaluate(`(document.querySelector(`+"`"+selector+"`"+`)||{innerText:"(nothing)"}).innerText`, &text))
	return strings.Join(strings.Fields(text), " ")
}

// until waits for a condition of JavaScript.
func (b *tab) until(what string) {
	b.t.Helper()
	b.do(chromedp.Poll(what, nil, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(time.Minute)))
}

func (b *tab) eval(what string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(what, nil, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}

// picture takes one, where somebody wants to look at it.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("PACIA_PICTURES")
	if dir == "" {
		return
	}
	var png []byte
	b.do(chromedp.Evaluate(`document.querySelectorAll("img").forEach(i => i.loading = "eager")`, nil), chromedp.Sleep(700*time.Millisecond), chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(dir, name+".png"), png, 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// well reports what went wrong in the page's scripts.
func (b *tab) well() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.trouble {
		b.t.Error(what)
	}
}

// measured is a table as a German Excel saves it: an IC50 with decimal commas.
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
	b.WriteString("A-z;CCO;>0,5\r\n") // does not decide
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

// TestTheWayOfAChemist: from two files of the kinds that people have to a ranked list that is
// sorted, filtered and downloaded, then a second assay beside the first.
func TestTheWayOfAChemist(t *testing.T) {
	url := start(t, nil)
	b := browse(t, url)
	b.picture("start")
	const first = "#assay-1 "
	b.do(chromedp.SetUploadFiles(first+".support input[type=file]", []string{measured(t)}))
	b.until(`document.querySelector("#assay-1 .support .problem")`)
	if text := b.text(first + ".support .problem"); !strings.Contains(text, "Choose below how activity is told.") {
		t.Errorf("the page asks %q", text)
	}
	b.do(chromedp.SetValue(first+"[name=rule]", "active_below"))
	b.eval(`document.querySelector("#assay-1 [name=rule]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.do(chromedp.SendKeys(first+"[name=threshold]", "1\t"), chromedp.SetValue(first+"[name=unit]", "uM"))
	b.eval(`document.querySelector("#assay-1 [name=unit]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelector("#assay-1 .support .counts")?.innerText.includes("below 1 uM")`)
	if text := b.text(first + ".support .read"); !strings.Contains(text, "10 active") || !strings.Contains(text, "10 inactive") || !strings.Contains(text, "1 not decided (row 22 (A-z))") {
		t.Errorf("of the support set the page says %q", text)
	}
	b.until(`[...document.querySelectorAll("#assay-1 .support .strip img")].filter(i => i.complete && i.naturalWidth).length > 3`)
	b.do(chromedp.SetUploadFiles(first+".library input[type=file]", []string{absolute(t, "../examples/assay/library.csv"), absolute(t, "../table/testdata/rdkit.sdf")}))
	b.until(`document.querySelector("#assay-1 .library .file")`)
	b.picture("read")
	b.do(chromedp.Click(first+".options summary"), chromedp.Focus(first+"[name=share]"), chromedp.SendKeys(first+"[name=share]", "2\r")) // Enter sends the form
	b.until(`document.querySelectorAll("#assay-1 tbody tr:not(.more)").length === 50`)
	if text := b.text(first + ".verdict"); !strings.Contains(text, "similarity search here") {
		t.Errorf("the verdict is %q", text)
	}
	b.picture("ranked")
	b.well()
}

var (
	_ = emulation.SetEmulatedMedia
	_ = page.CaptureScreenshot
)
