package serve

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"time"

	"pacia/data/rdkit"
	"pacia/evaluate"
	"pacia/examples"
	"pacia/internal/ui"
	"pacia/model"
	"pacia/screen/ranking"
	"pacia/screen/request"
)

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/index.html"))

// kinds are the media types of the page's files. The system's table may have different ones.
var kinds = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

func (s *Server) addPage(mux *http.ServeMux) {
	mux.Handle("GET /{$}", handler(func(w http.ResponseWriter, _ *http.Request) error {
		var page bytes.Buffer
		if err := pageTemplate.Execute(&page, s.info()); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = page.WriteTo(w) // an error means that the client has gone
		return nil
	}))
	files, _ := fs.Glob(pageFiles, "page/*") // the pattern is valid
	for _, name := range files {
		kind, served := kinds[path.Ext(name)]
		if !served {
			continue
		}
		content, err := pageFiles.ReadFile(name)
		if err != nil {
			panic(err) // impossible: Glob listed the file
		}
		tag := fmt.Sprintf(`"%.8x"`, sha256.Sum256(content))
		mux.HandleFunc("GET /"+path.Base(name), func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Cache-Control", "no-cache")
			w.Header().Set("ETag", tag)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		})
	}
}

// info describes the server, its model and its limits.
type info struct {
	Version string `json:"version"`
	Reasons bool   `json:"reasons"` // the model can explain its scores
	History bool   `json:"history"` // the model compares molecules by past assays
	Past    int    `json:"past"`    // past assays that it knows
	Model   string `json:"model"`
	Limits  struct {
		Upload  int64 `json:"upload"` // bytes of a request
		Rows    int   `json:"rows"`
		Support int   `json:"support"`
		Jobs    int   `json:"jobs"`
		Queue   int   `json:"queue"`
	} `json:"limits"`
}

func (s *Server) info() info {
	i := info{Version: s.options.Version, Model: s.options.Origin}
	i.Reasons = evaluate.Explainable([]*model.Model{s.options.Model}) == nil
	i.History = s.options.Model.Traits().History
	if m := s.options.Model.Past(); m != nil {
		i.Past = len(m.Assays)
	}
	i.Limits.Upload, i.Limits.Rows, i.Limits.Support = s.options.MaxUpload, s.options.MaxRows, maxSupport
	i.Limits.Jobs, i.Limits.Queue = s.options.Jobs, s.options.Queue
	return i
}

// Explained returns the columns that the page explains.
func (info) Explained() []ranking.Column { return ranking.Explained() }

// Words returns the limits in words, for the page.
func (i info) Words() string {
	return "up to " + ui.Grouped(i.Limits.Rows) + " molecules, " + ui.Bytes(i.Limits.Upload)
}

// An input is the input of a field on the page.
type input struct{ request.Field }

// Inputs returns the inputs of a part of the page that have a title in the declaration of their fields.
func (i info) Inputs(part string) (all []input) {
	for _, field := range request.Fields() {
		if where, reason := field.Page(); where == part && reason == "" && field.Tag("title") != "" {
			all = append(all, input{field})
		}
	}
	return all
}

// Part returns the part of the page.
func (i input) Part() string { part, _ := i.Page(); return part }

// Truth reports whether the input is a box to check.
func (i input) Truth() bool { return i.Type.Kind() == reflect.Bool }

// Numeric returns the kind of the input of a number, or "".
func (i input) Numeric() string {
	switch i.Type.Kind() {
	case reflect.Int:
		return "numeric"
	case reflect.Float64:
		return "decimal"
	}
	return ""
}

func (s *Server) about(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, http.StatusOK, s.info())
}

// example answers with the example assay, which is embedded in the program.
func (s *Server) example(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, http.StatusOK, map[string]string{"support": examples.Support, "library": examples.Library})
}

// Sizes of drawings, in pixels.
const leastDrawn, mostDrawn = 40, 1000

func (s *Server) draw(w http.ResponseWriter, r *http.Request) error {
	v := r.URL.Query()
	width, height := 220, 150
	for name, size := range map[string]*int{"width": &width, "height": &height} {
		if text := v.Get(name); text != "" {
			n, err := number(name, text, leastDrawn, mostDrawn)
			if err != nil {
				return err
			}
			*size = n
		}
	}
	look, err := lookOf(v)
	if err != nil {
		return err
	}
	if err := s.drawers.enter(r); err != nil {
		return err
	}
	defer s.drawers.free()
	svg, err := rdkit.DrawLook(r.Context(), v.Get("smiles"), look, width, height)
	if err != nil {
		return problem{Status: http.StatusUnprocessableEntity, What: "the molecule cannot be drawn: " + firstWords(err), Fix: "correct it"}
	}
	if v.Get("ground") == "dark" {
		svg = onDark(svg)
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox") // RDKit's drawings have styles
	h.Set("Cache-Control", "private, max-age=3600")
	_, _ = w.Write(svg) // an error means that the client has gone
	return nil
}
