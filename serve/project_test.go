package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const table = `document.querySelectorAll(".assay:not([hidden]) tbody tr:not(.more)").length === 50 && document.querySelector(".assay:not([hidden]) .progress").hidden`

// TestAProjectLasts: a reload of the page keeps assays with names, settings and results, and still marks
// results of earlier inputs. A saved file restores them after the project was closed.
func TestAProjectLasts(t *testing.T) {
	url := startWith(t, bare, nil)
	b := browse(t, url)
	b.eval(`window.confirm = () => true`)
	b.do(chromedp.Click(".example"))
	b.until(`!document.querySelector(".primary").disabled`)
	b.do(chromedp.SendKeys("[name=assay]", "<b>Kinase</b>"), chromedp.Click(".primary"))
	b.until(table)
	rows := b.text("tbody")
	b.do(chromedp.Click("#add"), chromedp.WaitVisible("#assay-2 form"), chromedp.Focus("#tab-2"), chromedp.KeyEvent(kb.ArrowLeft))
	b.do(chromedp.Click("#assay-1 .options summary"), chromedp.SendKeys("#assay-1 [name=prior]", "3\t"))
	same := func(when string) {
		t.Helper()
		b.until(table)
		if got := b.text("tbody"); got != rows {
			t.Errorf("%s the table is %.200q, want %.200q", when, got, rows)
		}
		if got := b.text("#tabs"); got != "<b>Kinase</b> Assay 2" {
			t.Errorf("%s the tabs are %q", when, got)
		}
		b.until(`document.querySelector("#assay-1 [name=prior]").value === "3" && !document.querySelector("#assay-1 .changed").hidden`)
	}
	b.until(stored)
	b.do(chromedp.Reload())
	same("after a reload")

	folder := t.TempDir()
	path := filepath.Join(folder, "_b_Kinase__b_.pacia")
	b.do(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder), chromedp.Click("#save"))
	b.poll(func() bool { f, err := os.Stat(path); return err == nil && f.Size() > 0 })
	b.eval(`window.confirm = () => true`)
	b.do(chromedp.Click("#fresh"))
	b.until(`document.querySelectorAll(".assay").length === 1 && document.querySelector(".outcome").hidden && !document.querySelector(".read").innerText`)
	b.do(chromedp.SetUploadFiles("#open", []string{path}))
	same("opened from a file,")

	// A truncated project, or a file that is not a project, changes nothing.
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"cut.pacia": string(content[:len(content)/2]), "text.pacia": "smiles\nCCO\n"} {
		b.do(chromedp.SetUploadFiles("#open", []string{file(t, name, text)}))
		b.until(`document.querySelector("#notice").innerText.startsWith("` + name + ` cannot be opened: it is cut or damaged")`)
	}
	same("after files that cannot be opened,")

	// Tabs are closed by the keyboard; the last one leaves an empty assay.
	b.do(chromedp.Focus("#tab-1"), chromedp.KeyEvent(kb.Delete))
	b.until(`document.querySelectorAll(".assay").length === 1 && document.activeElement.id === "tab-2"`)
	b.do(chromedp.Click("#assay-2 .close"))
	b.until(`document.querySelectorAll(".assay").length === 1 && !document.querySelector(".read").innerText`)
	if text := b.text("main"); strings.Contains(text, "support.csv") {
		t.Errorf("after all assays were closed the page shows %.300q", text)
	}
	b.well()
}
