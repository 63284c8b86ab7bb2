package report

import (
	"fmt"
	"strings"
)

// latexSigns are what TeX reads otherwise than it is written.
var latexSigns = strings.NewReplacer(
	`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "±", `$\pm$`, "–", "--", "Δ", `$\Delta$`, "α", `$\alpha$`, "“", "``", "”", "''", "\u00a0", "~", "\n", " ", "\r", " ",
)

// latex is a table in LaTeX with the lines of booktabs.
func (t Table) latex(caption string) string {
	var b strings.Builder
	row := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = latexSigns.Replace(c)
		}
		// A [ after \\ would be read as its argument.
		fmt.Fprintf(&b, "    {}%s \\\\\n", strings.Join(escaped, " & "))
	}
	fmt.Fprintf(&b, "\\begin{table}\n  \\centering\n  \\footnotesize\n  \\setlength{\\tabcolsep}{3pt}\n  \\caption{%s}\n  \\begin{tabular}{%s}\n    \\toprule\n",
		latexSigns.Replace(caption), "l"+strings.Repeat("c", len(t.Head)-1))
	row(t.Head)
	b.WriteString("    \\midrule\n")
	for _, cells := range t.Rows {
		row(cells)
	}
	b.WriteString("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n")
	return b.String()
}

// main is the table of a section.
func (s Section) main() Table {
	return Table{Name: "results", Title: "Test " + s.MetricName(), Head: s.Head(), Rows: s.Rows()}
}

// latex returns a file for each kind of table, with one table for each section that
// has it.
func (r *Report) latex() (all []output) {
	for _, name := range []string{"results", "adaptivity", "categories", "pairs", "enrichment"} {
		text := ""
		for _, s := range r.Sections {
			for _, t := range append([]Table{s.main()}, s.Beside()...) {
				notes := strings.Join(t.Notes, " ")
				if t.Name == "results" {
					notes = r.FiguresNote() + " " + r.TestNote()
				}
				if t.Name == name && len(t.Rows) > 0 {
					text += "\n" + t.latex(fmt.Sprintf("%s: %s. %s", s.Name(), t.Title, notes))
				}
			}
		}
		if text != "" {
			all = append(all, output{name + ".tex", []byte("% " + r.About.String() + "\n% \\usepackage{booktabs}\n" + text)})
		}
	}
	return all
}
