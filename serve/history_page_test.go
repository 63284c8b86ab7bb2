package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"pacia/examples"
)

// TestPagePast: past assays are read when they are chosen, change the ranking, stay with a project, and can be removed.
func TestPagePast(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	dir := t.TempDir()
	for name, text := range map[string]string{"support.csv": examples.Support, "library.csv": examples.Library, "past.csv": pastOf(),
		"bad.csv": "a,b\n1,2\n", "long.csv": longPast()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	file := func(card, name string) chromedp.Action {
		return chromedp.SetUploadFiles("."+card+" input[type=file]", []string{filepath.Join(dir, name)})
	}
	b.do(file("support", "support.csv"), file("library", "library.csv"), file("past", "bad.csv"))
	b.until(`document.querySelector(".past .problem")`)
	if why := b.text(".why"); why != "The past assays cannot be read." && why != "The library cannot be read." && why != "" {
		t.Errorf("beside the button: %q", why)
	}
	b.do(file("past", "long.csv"))
	b.until(`document.querySelector(".past .problem")?.innerText.includes("Write below how the files are read, as in “assay”.")`)
	b.do(chromedp.SendKeys(".past [name=history_reading]", "assay\t"))
	b.until(`document.querySelector(".past .file")?.innerText.startsWith("long.csv 2 past assays")`)
	b.picture("past-reading")
	b.do(chromedp.Evaluate(`document.querySelector(".past [name=history_reading]").value = ""`, nil))
	b.do(file("past", "past.csv"))
	b.until(`document.querySelector(".past .file")?.innerText.startsWith("past.csv ")`)
	if read := b.text(".past .read"); !strings.Contains(read, "past.csv 2 past assays") {
		t.Errorf("the card shows %q", read)
	}
	b.picture("past-read")
	b.do(chromedp.Click(".past [name=specific]"))
	b.until(`!document.querySelector("form .primary").disabled`)
	b.do(chromedp.Click("form .primary"))
	b.until(`document.querySelector(".ranked tbody tr")`)
	b.do(chromedp.Evaluate(`document.querySelector(".trust details").open = true`, nil))
	if text := b.text(".trust"); !strings.Contains(text, "2 past assays: 1") || !strings.Contains(text, "Without past assays 0.") || !strings.Contains(text, "past.csv: 2 past assays") {
		t.Errorf("the panel is %q", text)
	}
	b.until(`[...document.querySelectorAll("td[data-title='Active before']")].some(cell => /\d of \d/.test(cell.innerText))`)
	for _, look := range []struct {
		name, scheme string
		wide, high   int64
	}{{"light", "light", 1360, 1700}, {"dark", "dark", 1360, 1700}, {"phone-light", "light", 390, 2600}, {"phone-dark", "dark", 390, 2600}} {
		media := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}
		b.do(chromedp.EmulateViewport(look.wide, look.high), emulation.SetEmulatedMedia().WithFeatures(media), chromedp.Evaluate(`scrollTo(0, 0)`, nil))
		b.picture("past-" + look.name)
		var over bool
		if b.do(chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth`, &over)); over {
			t.Errorf("%s: the page is wider than its window", look.name)
		}
	}
	b.until(stored)
	b.do(chromedp.Reload())
	b.until(`document.querySelector(".ranked tbody tr")`)
	if read := b.text(".past .read"); !strings.Contains(read, "past.csv 2 past assays") {
		t.Errorf("after a reload the card shows %q", read)
	}
	b.do(chromedp.Click(".past .without"))
	b.until(`!document.querySelector(".past .file") && document.querySelector(".past .fields").hidden`)
	b.do(chromedp.Click("form .primary"))
	b.until(`document.querySelector(".ranked tbody tr") && !document.querySelector("td[data-title='Active before']")`)
	b.well()
}
