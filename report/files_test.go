package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
)

// names returns the files in the folder out and its subfolders.
func names(t *testing.T) (all []string) {
	t.Helper()
	err := filepath.WalkDir("out", func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel("out", path)
			all = append(all, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOldFilesAreRemoved: files of an earlier report that the next one does not write are removed if they are
// unchanged. Other files in the folder stay.
func TestOldFilesAreRemoved(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(names ...string) {
		var all []output
		for _, name := range names {
			all = append(all, output{name, []byte("of " + name)})
		}
		if err := replace("out", all); err != nil {
			t.Fatal(err)
		}
	}
	write("report.md", "figures/old.svg", "figures/changed.svg", "figures/gone.svg", "figures/kept.svg")
	if err := os.WriteFile("out/figures/mine.svg", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("out/figures/changed.svg", []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove("out/figures/gone.svg"); err != nil {
		t.Fatal(err)
	}
	write("report.md", "figures/kept.svg", "figures/new.svg")
	if got, want := names(t), []string{"figures/changed.svg", "figures/kept.svg", "figures/mine.svg", "figures/new.svg", "report.manifest.json", "report.md"}; !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
	write("report.md")
	if got, want := names(t), []string{"figures/changed.svg", "figures/mine.svg", "report.manifest.json", "report.md"}; !slices.Equal(got, want) {
		t.Errorf("left are %v, want %v", got, want)
	}
}

// TestFilesOfOthersStay: a report that would overwrite a file that no report wrote, or that was changed since, is
// refused, and nothing is written. It goes on where an earlier one was cut off.
func TestFilesOfOthersStay(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll("out/figures", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("out/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report := []output{{"report.md", []byte("new")}, {"figures/a.svg", []byte("a")}}
	put("figures/a.svg", "mine")
	want := "out/figures/a.svg: would be overwritten by the report; it is not as a report wrote it; choose another folder with --out, or move the file"
	if err := replace("out", report); err == nil || err.Error() != want || !slices.Equal(names(t), []string{"figures/a.svg"}) {
		t.Errorf("%v, with the files %v", err, names(t))
	}
	put("results.csv", "mine")
	if err := (&Report{}).CheckFolder("out"); !badinput.Is(err) || !strings.HasPrefix(err.Error(), "out/results.csv: would be") {
		t.Errorf("before anything is drawn: %v", err)
	}
	// Cut off: the list has the files of both reports, and one of them is written.
	if err := writeManifest("out", []manifestEntry{entryOf(output{"report.md", []byte("old")}),
		entryOf(report[0]), entryOf(report[1])}); err != nil {
		t.Fatal(err)
	}
	put("report.md", "old")
	put("figures/a.svg", "a")
	if err := replace("out", report); err != nil {
		t.Error(err)
	}
	if err := replace("out", report); err != nil {
		t.Errorf("again: %v", err)
	}
	put("report.md", "new, and a remark")
	if err := replace("out", report); !badinput.Is(err) {
		t.Errorf("a report with a remark is overwritten: %v", err)
	}
}

// TestListsOfOthersRemoveNothing: a manifest that names files outside the folder removes none of them. A
// manifest that cannot be read is an error, and nothing is written.
func TestListsOfOthersRemoveNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("precious", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" // of x
	if err := os.Mkdir("out", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("..", "out/up"); err != nil {
		t.Fatal(err)
	}
	if err := writeManifest("out", []manifestEntry{{"../precious", sum}, {"up/precious", sum}}); err != nil {
		t.Fatal(err)
	}
	if err := replace("out", []output{{"a", nil}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("precious"); err != nil {
		t.Error("a file outside the folder is removed")
	}
	if err := os.WriteFile("out/"+manifestFile, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := replace("out", []output{{"b", nil}}); !badinput.Is(err) || slices.Contains(names(t), "b") {
		t.Errorf("with a damaged list: %v", err)
	}
}

// TestLatex: special characters are escaped, the columns together are as wide as the text, names of settings
// can be broken, and a minus sign is not a hyphen.
func TestLatex(t *testing.T) {
	aligned := func(share string) string {
		return `>{\raggedright\arraybackslash}p{\dimexpr ` + share + `\linewidth-2\tabcolsep\relax}`
	}
	table := Table{Title: "x", columns: []column{shown("a_b"), shown("50 %")}}
	for _, cells := range [][]string{{`[C&\{`, "82.40 ± 0.26 [-1.00, -0.50]"}, {"train.rate=1", "–"}} {
		table.add(word(cells[0]), word(cells[1]))
	}
	// The longest pieces have 7 and 14 characters; two are added to each.
	want := `\begin{table}
  \centering
  \scriptsize
  \setlength{\tabcolsep}{3pt}
  \setlength{\belowcaptionskip}{4pt}
  \caption{ROC-AUC (\%)}
  \begin{tabular}{` + aligned("0.333") + aligned("0.667") + `}
    \toprule
    {}a\_\allowbreak{}b & 50 \% \\
    \midrule
    {}[C\&\textbackslash{}\{ & 82.40~$\pm$~0.26 [$-$1.00,~$-$0.50] \\
    {}train.\allowbreak{}rate=\allowbreak{}1 & -- \\
    \bottomrule
  \end{tabular}
\end{table}
`
	if got := table.latex("ROC-AUC (%)"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for range longest {
		table.rows = append(table.rows, table.rows[0])
	}
	got := table.latex("x")
	if !strings.HasPrefix(got, "{\\scriptsize\n") || strings.Count(got, "longtable") != 2 || strings.Count(got, `\caption`) != 1 || strings.Count(got, "{}a\\_") != 2 || !strings.HasSuffix(got, "\\end{longtable}}\n") {
		t.Errorf("a long table is\n%s", got)
	}
}

// TestAboutAndFiles: a report names its version, command and date, links its tables, and has the same
// numbers in LaTeX.
func TestAboutAndFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "run", 0)
	r, err := Read([]string{"run"}, false)
	if err != nil {
		t.Fatal(err)
	}
	r.About = About{"1.2", "pacia report run --out out", time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	if err := r.Write("out"); err != nil {
		t.Fatal(err)
	}
	for name, wants := range map[string][]string{
		"report.md":   {"`Made by pacia 1.2, 2 January 2030, 03:04 UTC, pacia report run --out out`", "[results.csv](results.csv)", "[results.tex](results.tex)"},
		"report.html": {"Made by pacia 1.2, 2 January 2030, 03:04 UTC, pacia report run --out out", `<a href="tasks.csv">tasks.csv</a>`, `<a href="results.tex">results.tex</a>`},
		"results.tex": {"% Made by pacia 1.2", `\toprule`, `PACIA & 1 & 78.00 [70.00,~90.00] & 80.00 [80.00,~80.00]`, `PACIA 84.25~$\pm$~0.31, Table 1 (tab:results)`},
	} {
		text, err := os.ReadFile(filepath.Join("out", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q:\n%.3000s", name, want, text)
			}
		}
	}
	if slices.Contains(names(t), "categories.tex") {
		t.Error("a table without rows is written for LaTeX")
	}
}
