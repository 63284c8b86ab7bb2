package report

import (
	_ "embed" // the page's template
	"encoding/base64"
	"html/template"
	"io"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	// Our own picture: the template would not let the URL through otherwise.
	"inlined": func(f Figure) template.URL {
		return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(f.SVG))
	},
}).Parse(pageText))

// writePage writes one page that needs nothing beside it.
func (r *Report) writePage(w io.Writer) error {
	return page.Execute(w, map[string]any{"Report": r, "Figures": figuresNote, "Test": testNote})
}
