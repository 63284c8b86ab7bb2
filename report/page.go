package report

import (
	_ "embed" // the page's template
	"encoding/base64"
	"html/template"
	"io"
	"regexp"
	"strings"
	text "text/template"
	"unicode/utf8"
)

//go:embed page.html
var pageText string

//go:embed page.markdown
var markdownText string

var markdown = text.Must(text.New("markdown").Funcs(text.FuncMap{
	"md": inMarkdown, "code": inMarkdownCode, "join": strings.Join,
	"cell": func(c string) string { return strings.ReplaceAll(c, "|", `\|`) },
}).Parse(markdownText))

var betweenFigures = regexp.MustCompile(`, (-?\d)`)

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	// The type template.URL marks the picture as safe; the template would refuse it otherwise.
	"inlined": func(f Figure) template.URL {
		return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(f.SVG))
	},
	// Long texts need a wide column; otherwise a row would be as high as a page.
	"long": func(cell string) bool { return utf8.RuneCountInString(cell) > 36 },
	"kept": unbroken,
}).Parse(pageText))

// unbroken inserts non-breaking spaces, so that an interval or a deviation stays on one line.
func unbroken(cell string) string {
	return strings.ReplaceAll(betweenFigures.ReplaceAllString(cell, ",\u00a0$1"), " ± ", "\u00a0±\u00a0")
}

func (r *Report) writeMarkdown(w io.Writer) error { return markdown.Execute(w, r) }

func (r *Report) writePage(w io.Writer) error {
	return page.Execute(w, map[string]any{"Report": r})
}
