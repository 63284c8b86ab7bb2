package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pacia/internal/each"
)

// latexSigns are the characters with a special meaning in TeX.
var latexSigns = strings.NewReplacer(
	`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`,
	"<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "±", `$\pm$`, "–", "--", "Δ", `$\Delta$`, "α", `$\alpha$`, "“", "``", "”", "''", "\u00a0", "~", "\n", " ", "\r", " ",
)

// betweenLetters matches the places at which the name of a setting, such as train.learning_rate, may be broken.
var betweenLetters = regexp.MustCompile(`([a-z])\.([a-z])`)

// negative matches the minus sign before a number, which TeX would set as a hyphen.
var negative = regexp.MustCompile(`(^|[ \[~])-(\d)`)

// broken marks the places at which a cell may be broken into lines, in addition to its spaces, and joins
// parts that belong together.
func broken(cell string) string { return betweenLetters.ReplaceAllString(unbroken(cell), "$1.\x00$2") }

// breakable writes a cell for TeX.
func breakable(cell string) string {
	text := negative.ReplaceAllString(latexSigns.Replace(broken(cell)), "$1$$-$$$2")
	return strings.NewReplacer("\x00", `\allowbreak{}`, "=", `=\allowbreak{}`, `\_`, `\_\allowbreak{}`).Replace(text)
}

// longest is the maximum number of rows of a floating table; longer tables span pages.
const longest = 30

// latex returns the table in LaTeX with the rules of booktabs, as wide as the text.
func (t Table) latex(caption string) string {
	var b strings.Builder
	row := func(cells []string) {
		escaped := each.Of(cells, breakable)
		// The {} protects a [ at the beginning, which would be read as an argument of the preceding \\.
		fmt.Fprintf(&b, "    {}%s \\\\\n", strings.Join(escaped, " & "))
	}
	caption = latexSigns.Replace(caption)
	columns, font := t.latexColumns()
	const skips = "  \\setlength{\\tabcolsep}{3pt}\n  \\setlength{\\belowcaptionskip}{4pt}\n"
	long := len(t.rows) > longest
	if long {
		fmt.Fprintf(&b, "{%s\n%s  \\begin{longtable}{%s}\n    \\caption{%s}\\\\\n    \\toprule\n", font, skips, columns, caption)
	} else {
		fmt.Fprintf(&b, "\\begin{table}\n  \\centering\n  %s\n%s  \\caption{%s}\n  \\begin{tabular}{%s}\n    \\toprule\n", font, skips, caption, columns)
	}
	row(t.Head())
	b.WriteString("    \\midrule\n")
	if long { // the header is repeated on every page, the caption is not
		b.WriteString("    \\endfirsthead\n    \\toprule\n")
		row(t.Head())
		b.WriteString("    \\midrule\n    \\endhead\n    \\bottomrule\n    \\endfoot\n")
	}
	for _, cells := range t.Rows() {
		row(cells)
	}
	if long {
		b.WriteString("  \\end{longtable}}\n")
		return b.String()
	}
	b.WriteString("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n")
	return b.String()
}

// latexColumns distributes the width of the text over the columns. Each column needs the width of its
// longest unbreakable piece, and more if it has long texts. If the sum is too wide for
// an article, the font is smaller.
func (t Table) latexColumns() (columns, font string) {
	rows := append([][]string{t.Head()}, t.Rows()...)
	need, sum := make([]int, len(rows[0])), 0
	for i := range need {
		for _, cells := range rows {
			text := broken(cells[i])
			for _, piece := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \x00=_\n", r) }) {
				need[i] = max(need[i], utf8.RuneCountInString(piece)+2)
			}
			need[i] = max(need[i], min(utf8.RuneCountInString(text)/4, 30))
		}
		sum += need[i]
	}
	var b strings.Builder
	for _, n := range need {
		fmt.Fprintf(&b, `>{\raggedright\arraybackslash}p{\dimexpr %.3f\linewidth-2\tabcolsep\relax}`, float64(n)/float64(max(1, sum)))
	}
	if font = `\scriptsize`; sum > 105 {
		font = `\tiny`
	}
	return b.String(), font
}

// latex returns a file for each kind of table that documents have, which contains the tables of all sections.
func (r *Report) latex() (all []output) {
	for i, kind := range tables {
		text := ""
		for _, s := range r.Sections {
			if t := s.tables[i]; len(t.rows) > 0 {
				notes := strings.Join(slices.Concat(t.Notes, t.Points), " ")
				text += "\n" + t.latex(fmt.Sprintf("%s: %s. %s", s.Name(), t.Title, notes))
			}
		}
		if text != "" {
			all = append(all, output{kind.name + ".tex", []byte("% " + r.About.String() + "\n% \\usepackage{array,booktabs,longtable}\n" + text)})
		}
	}
	return all
}
