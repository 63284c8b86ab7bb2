package serve_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A tab is a page in a real browser. It records all faults.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu     sync.Mutex
	faults []string // errors of scripts and requests to other servers
}

// theBrowser returns the browser that all tests share, nil if none is installed; closeBrowser ends it.
var (
	theBrowser   = sync.OnceValues(startBrowser)
	closeBrowser = func() {}
)

func startBrowser() (context.Context, error) {
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		return nil, nil
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.WindowSize(1360, 900),
		chromedp.Flag("force-prefers-reduced-motion", true)) // so that no button moves below the pointer
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // it refuses to make one for root
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	closeBrowser = stop
	ctx, _ = chromedp.NewContext(ctx) // closeBrowser ends it
	return ctx, chromedp.Run(ctx)
}

func TestMain(m *testing.M) {
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// browse opens the page of a server. It skips the test with -short, and where a browser is missing.
func browse(t *testing.T, url string) *tab {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	one, err := theBrowser()
	if err != nil {
		t.Fatal(err)
	}
	if one == nil {
		t.Skip("no browser: apt-get install chromium")
	}
	ctx, stop := chromedp.NewContext(one) // a tab; the browser stores projects separately for each server address
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.faults = append(b.faults, "script: "+e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError {
				b.faults = append(b.faults, "console: "+string(e.Args[0].Value))
			}
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, url+"/") && !strings.HasPrefix(u, "blob:") {
				b.faults = append(b.faults, "a request leaves the server: "+u)
			}
		}
	})
	b.do(network.Enable(), chromedp.Navigate(url+"/"), chromedp.WaitVisible("form .primary"))
	return b
}

func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.t.Fatalf("%v; the page shows %q; faults %v", err, b.text("main"), b.faults)
	}
}

// text returns the text that the page shows in an element.
func (b *tab) text(selector string) (text string) {
	_ = chromedp.Run(b.ctx, chromedp.Evaluate(`(document.querySelector(`+"`"+selector+"`"+`)||{innerText:"(nothing)"}).innerText`, &text))
	return strings.Join(strings.Fields(text), " ")
}

// until waits for a condition of JavaScript.
func (b *tab) until(what string) {
	b.t.Helper()
	b.do(chromedp.Poll(what, nil, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(time.Minute)))
}

// stored is JavaScript for: the browser's store has support set, library and results of the ranking, and what
// changed since then. It is written a moment after a change.
const stored = `new Promise(done => { indexedDB.open("pacia", 1).onsuccess = ({target: {result}}) => {
	result.transaction("files").objectStore("files").count().onsuccess = (e) => {
		result.close();
		setTimeout(() => done(e.target.result >= 3), 500);
	};
}; })`

// poll waits for a condition.
func (b *tab) poll(is func() bool) {
	b.t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	b.t.Fatal("in vain")
}

func (b *tab) eval(what string) {
	b.t.Helper()
	b.do(chromedp.Evaluate(what, nil, awaited))
}

// picture takes a picture of the page if PACIA_PICTURES is set.
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

// well reports faults of the page's scripts.
func (b *tab) well() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, what := range b.faults {
		b.t.Error(what)
	}
}
