package serve_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestInputsThatChange: a later change of any input is used by the next ranking, or the page asks for the input
// again. Results of earlier inputs are marked.
func TestInputsThatChange(t *testing.T) {
	b := browse(t, startWith(t, bare, nil))
	ready := `!document.querySelector(".primary").disabled`
	ranked := `document.querySelector(".progress").hidden && !document.querySelector(".outcome").hidden && document.querySelector(".changed").hidden`
	b.do(chromedp.Click(".example"))
	b.until(ready)
	b.do(chromedp.Click(".primary"))
	b.until(ranked)

	// The verdict is visible in the window.
	var top float64
	if b.do(chromedp.Evaluate(`document.querySelector(".trust").getBoundingClientRect().top`, &top)); top < 0 {
		t.Errorf("the verdict begins %.0f pixels above the window", -top)
	}

	// A share of actives is in per cent, with or without the sign.
	b.do(chromedp.Click(".options summary"))
	for _, tt := range [][2]string{{"2", "1 in 50"}, {"2 %", "1 in 50"}, {"2,5%", "1 in 40"}, {"200", "not a share"}, {"two", "not a share"}} {
		text, want := tt[0], tt[1]
		b.do(chromedp.SetValue("[name=prior]", text))
		b.eval(`document.querySelector("[name=prior]").dispatchEvent(new Event("input", {bubbles: true}))`)
		if got := b.text(".share"); got != want {
			t.Errorf("share %q: the page shows %q, want %q", text, got, want)
		}
	}
	b.do(chromedp.Click(".primary"))
	b.until(`!document.querySelector(".alert").hidden && document.querySelector(".alert").innerText.includes("per cent")`)
	b.eval(`document.querySelector("[name=prior]").value = ""`)

	// Results of other inputs are marked. A press of the button also applies the field that it leaves.
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{measured(t)}))
	b.until(`document.querySelector(".support .problem")`)
	if b.text(".changed") == "" {
		t.Error("results of another support set are not marked")
	}
	b.do(chromedp.SetValue("[name=rule]", "active_below"))
	b.eval(`document.querySelector("[name=rule]").dispatchEvent(new Event("change", {bubbles: true}))`)
	b.do(chromedp.SetValue("[name=unit]", "uM"), chromedp.SendKeys("[name=threshold]", "1\t"))
	b.until(ready)
	b.do(chromedp.Click(".primary"))
	b.until(ranked)
	b.do(chromedp.SendKeys("[name=threshold]", "\b10"))
	b.do(chromedp.Click(".primary"))
	b.until(ranked)
	if got := b.text(".support .counts"); !strings.Contains(got, "below 10 uM") {
		t.Errorf("the page shows %q after the threshold became 10", got)
	}

	// The page asks for a file that was written after it was chosen, and the file can be chosen again.
	edited := file(t, "edit.csv", "smiles,active\nCCO,1\nCCN,0\n")
	b.eval(`window.confirm = () => true`) // whether the example replaces the files
	b.do(chromedp.Click(".example"))
	b.until(`document.querySelector(".support .counts")?.innerText.endsWith("by column active") && ` + ready)
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{edited}))
	b.until(`document.querySelector(".support .file")?.innerText.includes("2 rows") && ` + ready)
	later := time.Now().Add(time.Minute)
	if err := os.WriteFile(edited, []byte("smiles,active\nCCO,1\nCCN,0\nCCC,0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(edited, later, later); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Click(".primary"))
	b.until(`!document.querySelector(".alert").hidden && document.querySelector(".alert").innerText.includes("edit.csv has changed")`)
	b.eval(`document.querySelector(".support input[type=file]").dispatchEvent(new MouseEvent("click", {cancelable: true}))`)
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{edited}))
	b.until(`document.querySelector(".support .file")?.innerText.includes("3 rows") && ` + ready)
	b.do(chromedp.Click(".primary"))
	b.until(ranked)

	// The column of the molecules can be named.
	b.do(chromedp.SetUploadFiles(".support input[type=file]", []string{file(t, "two.csv", "Alpha,Beta,active\nCCCCO,CCCCN,1\nCCCCCl,CCCCBr,0\n")}))
	b.until(`document.querySelector(".support .problem")`)
	if got := b.text(".support .problem"); !strings.Contains(got, "several columns hold molecules: Alpha, Beta. Choose below how the file is read.") {
		t.Errorf("the page shows the problem %q", got)
	}
	b.do(chromedp.SendKeys("[name=support_smiles]", "Beta\t"))
	b.until(`document.querySelector(".support .counts")?.innerText.includes("1 inactive")`)
	b.well()
}
