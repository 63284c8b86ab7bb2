package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
)

// zipLike reports whether a file begins like a zip file, which a workbook is as well.
func zipLike(start []byte) bool { return bytes.HasPrefix(start, []byte("PK\x03\x04")) }

// zipKinds are files that are zip files and cannot be read, with a part that each has.
var zipKinds = []struct{ part, what, fix string }{
	{"xl/workbook.bin", "a binary workbook (.xlsb)", "save it as .xlsx or CSV"},
	{"word/document.xml", "a Word document", "copy the table into a workbook, or save it as CSV"},
	{"ppt/presentation.xml", "a PowerPoint presentation", "save the table as .xlsx or CSV"},
	{"content.xml", "an OpenDocument file", "save it as .xlsx or CSV"},
	{"Index/Document.iwa", "an Apple iWork document", "export it as .xlsx or CSV"},
	{"workflow.knime", "a KNIME workflow", "write the table with its CSV Writer or SDF Writer"},
}

// openZip reads a workbook, or the only table of a zip file.
func (r *Reader) openZip(text *bufio.Reader, o Options) error {
	content, err := io.ReadAll(io.LimitReader(text, maxWorkbook+1))
	switch {
	case err != nil:
		return r.unreadable(err)
	case len(content) > maxWorkbook:
		return &badinput.Error{File: r.Name, What: fmt.Sprintf("a workbook or a zip file of more than %d MB", maxWorkbook>>20), Fix: "save the sheet as CSV, or unpack the file"}
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return r.damagedZip(content, err)
	}
	has := func(part string) bool {
		return slices.ContainsFunc(z.File, func(f *zip.File) bool { return f.Name == part })
	}
	for _, kind := range zipKinds {
		if has(kind.part) {
			return &badinput.Error{File: r.Name, What: "is " + kind.what, Fix: kind.fix}
		}
	}
	if slices.ContainsFunc(z.File, func(f *zip.File) bool {
		return strings.HasPrefix(strings.ToLower(f.Name), "xl/") || strings.HasPrefix(f.Name, `xl\`)
	}) {
		return r.openWorkbook(content, o)
	}
	f, err := r.onlyTable(z)
	if err != nil {
		return err
	}
	r.Notes = append(r.Notes, note.Note{Text: "zip file: " + badinput.Quote(f.Name)})
	return r.openPacked(f, o)
}

// damagedZip returns the error for a zip file whose list of parts cannot be read.
func (r *Reader) damagedZip(content []byte, err error) error {
	if bytes.Contains(content[:min(len(content), 1<<16)], []byte("xl/")) || bytes.Contains(content[:min(len(content), 1<<16)], []byte("[Content_Types].xml")) {
		return r.damagedWorkbook(err)
	}
	return &badinput.Error{File: r.Name, What: "damaged zip file", Err: err, Fix: "fetch it again"}
}

// beside matches names of files that stand beside a table.
func beside(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, begin := range []string{".", "readme", "license", "licence", "copying", "changelog", "thumbs.db", "md5", "sha"} {
		if strings.HasPrefix(base, begin) {
			return true
		}
	}
	return slices.Contains([]string{".pdf", ".md", ".html", ".htm", ".doc", ".docx", ".png", ".jpg", ".md5", ".sha256", ".json", ".xml"}, path.Ext(base)) || strings.HasPrefix(name, "__MACOSX/")
}

// onlyTable returns the file of a zip file that may be a table, if there is one.
func (r *Reader) onlyTable(z *zip.Reader) (*zip.File, error) {
	files := each.If(z.File, func(f *zip.File) bool { return !strings.HasSuffix(f.Name, "/") })
	if tables := each.If(files, func(f *zip.File) bool { return !beside(f.Name) }); len(tables) > 0 {
		files = tables
	}
	switch {
	case len(files) == 0:
		return nil, &badinput.Error{File: r.Name, What: "the zip file is empty", Fix: "fetch it again"}
	case len(files) > 1:
		names := each.Of(files, func(f *zip.File) string { return f.Name })
		return nil, &badinput.Error{File: r.Name, What: fmt.Sprintf("a zip file of %d files: %s", len(files), badinput.List(names)), Fix: "unpack it, and name the files"}
	case files[0].Flags&1 != 0:
		return nil, &badinput.Error{File: r.Name, What: "a zip file with a password", Fix: "unpack it"}
	}
	return files[0], nil
}

// openPacked reads a file of a zip file, up to [input.MaxRatio] times its packed size. A file that is packed itself, such
// as a workbook, must not become much larger, so that the limits do not multiply.
func (r *Reader) openPacked(f *zip.File, o Options) error {
	text, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return &badinput.Error{File: r.Name, What: "a zip file packed in a way that is not read", Fix: "unpack it"}
	}
	if err != nil {
		return &badinput.Error{File: r.Name, What: "damaged zip file", Err: err, Fix: "fetch it again"}
	}
	plain := input.NewBounded(r.Name, "zip", text, int64(f.CompressedSize64)) //nolint:gosec // the content has at most maxWorkbook bytes
	start, _ := plain.Peek(10)
	if zipLike(start) || input.Packed(start) {
		if limit := 2*f.CompressedSize64 + harmless; f.UncompressedSize64 > limit {
			return &badinput.Error{File: r.Name, What: "refused: it holds a packed file of more than twice its size", Fix: "unpack it, if it is what it should be"}
		}
	}
	if zipLike(start) && !strings.HasSuffix(strings.ToLower(f.Name), ".xlsx") && !strings.HasSuffix(strings.ToLower(f.Name), ".xlsm") {
		return &badinput.Error{File: r.Name, What: "a zip file within a zip file", Fix: "unpack it"}
	}
	err = r.open(plain, o)
	r.plain = nil
	return err
}
