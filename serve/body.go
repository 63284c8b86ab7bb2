package serve

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"strings"

	"pacia/internal/ui"
	"pacia/screen/request"
)

// tooLarge is the problem of a body that exceeds the limit, in bytes.
func tooLarge(limit int64) problem {
	return problem{Status: http.StatusRequestEntityTooLarge, What: "the files are larger than " + ui.Bytes(limit) + " together",
		Fix: "send less at a time, pack it by gzip, or start the server with another --max-upload"}
}

// maxFiles and maxFields limit the numbers of files and of fields in a request.
const maxFiles, maxFields = 100, 50

// body reads a request's body into a form, which the caller closes. Saved results, which may have so many bytes, do not
// count to the limit of an upload: a ranking just below it must open again.
func (s *Server) body(w http.ResponseWriter, r *http.Request, saved int64) (*form, error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	f, read, err := s.room(r, kind == "application/json")
	if err != nil {
		s.unread(w, r)
		return nil, err
	}
	defer read()
	paced := newPaced(w, r.Body, s.options.Stall)
	r.Body = http.MaxBytesReader(w, paced, s.options.MaxUpload)
	switch kind {
	case "multipart/form-data":
		r.Body = http.MaxBytesReader(w, paced, s.options.MaxUpload+saved)
		err = f.multipart(r, &room{response: w, most: s.options.MaxUpload, left: s.options.MaxUpload, saved: saved})
	case "application/json":
		err = f.json(r.Body)
	default:
		err = problem{Status: http.StatusUnsupportedMediaType, What: "a body of " + quote(r.Header.Get("Content-Type")) + " is not read",
			Fix: "send multipart/form-data (curl -F) or application/json"}
	}
	if err == nil {
		err = f.complete()
	}
	if err != nil {
		f.close()
		if paced.late {
			return nil, tooSlow
		}
		return nil, malformed(err)
	}
	paced.end()
	return f, nil
}

// room returns an empty form with memory for the files of a request, which the form releases. read releases what else a
// body in JSON needs, once it is read.
func (s *Server) room(r *http.Request, isJSON bool) (f *form, read func(), err error) {
	n := s.options.MaxUpload
	if r.ContentLength >= 0 {
		n = min(n, r.ContentLength)
	}
	held, parsing := min(n, (maxFiles+maxFields)*inMemory), int64(0)
	if isJSON {
		parsing = jsonFactor * n
	}
	if err := s.memory.reserve(r.Context(), held+parsing, "send less at a time, as multipart/form-data"); err != nil {
		return nil, nil, err
	}
	f = newForm()
	f.release = func() { s.memory.free.Release(held) }
	return f, func() { s.memory.free.Release(parsing) }, nil
}

func malformed(err error) error {
	var p problem
	var large *http.MaxBytesError
	if errors.As(err, &p) || errors.As(err, &large) || unstored(err) {
		return err
	}
	return problem{Status: http.StatusBadRequest, What: "the body cannot be read: " + firstWords(err), Fix: "see docs/serve.md"}
}

func firstWords(err error) string { return ui.Cut(strings.ReplaceAll(err.Error(), "\n", " "), 200) }

// A room is the space that is left for the parts of a form, in bytes.
type room struct {
	response   http.ResponseWriter
	most, left int64 // of all parts together but saved results
	saved      int64 // of saved results
}

// readPart calls use with the content of a part, and counts what use reads of it.
func (m *room) readPart(p *multipart.Part, use func(content io.Reader) error) error {
	left := &m.left
	if p.FormName() == resultsField {
		left = &m.saved
	}
	content := &metered{Reader: http.MaxBytesReader(m.response, p, *left)}
	err := use(content)
	*left -= content.n
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		if left == &m.saved {
			return problem{Status: http.StatusRequestEntityTooLarge, What: "the saved results are too large", Fix: "rank again"}
		}
		return &http.MaxBytesError{Limit: m.most}
	}
	return err
}

// metered counts the bytes that are read.
type metered struct {
	io.Reader
	n int64
}

func (c *metered) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += int64(n)
	return n, err
}

func (f *form) multipart(r *http.Request, m *room) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	for fields := 0; ; fields++ {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if fields == maxFields+maxFiles {
			return problem{Status: http.StatusRequestEntityTooLarge, What: "there are too many fields", Fix: fmt.Sprintf("send at most %d files", maxFiles)}
		}
		if err := m.readPart(part, func(content io.Reader) error { return f.part(part, content) }); err != nil {
			return err
		}
	}
}

const resultsField = "results"

// longestField limits the value of a field, in bytes.
const longestField = 4096

// part reads one part of a multipart form into f.
func (f *form) part(p *multipart.Part, content io.Reader) error {
	name := p.FormName()
	if field, _ := request.Find(name); field.Files() > 0 {
		file, err := newUpload(p.FileName(), content)
		if err != nil {
			return err
		}
		return f.add(name, file)
	}
	value, err := io.ReadAll(io.LimitReader(content, longestField+1))
	if err != nil {
		return err
	}
	if len(value) > longestField {
		what := fmt.Sprintf("%s is longer than %s bytes", quote(name), ui.Grouped(longestField))
		return problem{Status: http.StatusRequestEntityTooLarge, What: what, Fix: "write less, or send the fields as JSON"}
	}
	return f.set(name, string(value))
}

// add stores a file under its field. A file without a name gets that of the field. An empty file without
// a name is ignored: browsers send one for a field in which no file was chosen.
func (f *form) add(field string, file *upload) error {
	if file.size == 0 && file.name == "" {
		return nil
	}
	file.name = cmp.Or(file.name, field)
	declared, _ := request.Find(field)
	if n := len(f.files[field]); n == declared.Files() {
		file.close()
		if n == 1 {
			return problem{Status: http.StatusBadRequest, What: "there are two files of " + field, Fix: "send one"}
		}
		what := fmt.Sprintf("there are more than %d files of %s", n, field)
		return problem{Status: http.StatusRequestEntityTooLarge, What: what, Fix: "put some of them together, or leave some out"}
	}
	f.files[field] = append(f.files[field], file)
	return declared.Setting.Set(&f.Request, file.name)
}

// json reads an object of fields, {"support": …, "library": …, "label": …}. Function text reads its files.
func (f *form) json(body io.Reader) error {
	var fields map[string]json.RawMessage
	d := json.NewDecoder(body)
	if err := d.Decode(&fields); err != nil {
		if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
			return fmt.Errorf("it is JSON of the type %s, and not an object of fields", kind.Value)
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return cmp.Or(err, errors.New("something follows the object"))
	}
	for name, value := range fields {
		if string(value) == "null" {
			continue
		}
		if name == resultsField {
			what := "results are a file, which JSON does not hold"
			return problem{Status: http.StatusBadRequest, What: what, Fix: "send multipart/form-data (curl -F)"}
		}
		field, _ := request.Find(name)
		if field.Files() > 0 {
			text, err := text(value)
			if err != nil {
				return problem{Status: http.StatusBadRequest, What: name + ": " + err.Error(), Fix: `send a file's text, ["CCO", …] or [{"smiles": "CCO", …}, …]`}
			}
			file, err := newUpload("", strings.NewReader(text))
			if err != nil {
				return err
			}
			file.name = name
			if err := f.add(name, file); err != nil {
				return err
			}
			continue
		}
		texts, err := textsOf(field, value)
		if err != nil {
			return err
		}
		for _, text := range texts {
			if err := f.set(name, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// textsOf returns the texts of a field in JSON: one, or several of a list. Numbers and booleans may also be written as texts.
func textsOf(field request.Field, value json.RawMessage) (texts []string, err error) {
	var text string
	switch value[0] {
	case '"':
		err = json.Unmarshal(value, &text)
		return []string{text}, err
	case '[':
		if field.List() && json.Unmarshal(value, &texts) == nil {
			return texts, nil
		}
	case '{':
	default:
		truth, kind := value[0] == 't' || value[0] == 'f', field.Type.Kind()
		if truth && kind != reflect.Int && kind != reflect.Float64 || !truth && kind != reflect.Bool {
			return []string{string(value)}, nil // as it was written
		}
	}
	return nil, wrongField(field.Name, string(value), "write "+field.Kind())
}
