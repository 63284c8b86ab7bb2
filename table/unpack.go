package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"

	"pacia/csvfile"
	"pacia/fault"
)

// counted counts what is read through it.
type counted struct {
	io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// harmless is how many bytes any packed file may hold: a few molecules again and again.
const harmless = 1 << 20

// most is how many bytes may have come out of a packed text of which so many were read.
func (c *counted) most() int64 { return max(harmless, csvfile.MaxRatio*c.n) }

// unpacked unpacks what begins like gzip, also if it was packed twice.
func (r *Reader) unpacked(text io.Reader) (*bufio.Reader, error) {
	file := &counted{Reader: text}
	plain := bufio.NewReaderSize(file, sample)
	for range 2 {
		if start, _ := plain.Peek(2); !bytes.Equal(start, []byte{0x1f, 0x8b}) {
			break
		}
		z, err := gzip.NewReader(plain)
		if err != nil {
			return nil, r.unreadable(packed{err})
		}
		plain = bufio.NewReaderSize(&csvfile.Bounded{Plain: damaged{z}, Most: file.most}, sample)
	}
	if _, err := plain.Peek(1); err != nil && !errors.Is(err, io.EOF) {
		return nil, r.unreadable(err)
	}
	return plain, nil
}

// packed is an error of a packed file, as far as it is not that of the file below it.
type packed struct{ error }

func (p packed) Unwrap() error { return p.error }

// damaged marks the errors of a packed text.
type damaged struct{ io.Reader }

func (d damaged) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = packed{err}
	}
	return n, err
}

// others are files that people try, by their first bytes.
var others = []struct{ start, what, fix string }{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or a protected Excel workbook", "save it as .xlsx without a password, or as CSV"},
	{"%PDF", "a PDF", "export the table as CSV"},
	{"PAR1", "a Parquet file", "export it as CSV"},
	{"SQLite format", "an SQLite database", "export the table as CSV"},
	{"BZh", "packed by bzip2", "unpack it, or pack it by gzip"},
	{"\xfd7zXZ", "packed by xz", "unpack it, or pack it by gzip"},
	{"\x28\xb5\x2f\xfd", "packed by Zstandard", "unpack it, or pack it by gzip"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it"},
	{"\x89PNG", "a picture", "give a table of molecules"},
	{"{\\rtf", "an RTF document", "save it as plain text"},
	{"<!DOCTYPE", "an HTML page", "fetch the file itself"},
	{"<html", "an HTML page", "fetch the file itself"},
}

// binary refuses what is no text.
func binary(name string, start []byte) error {
	for _, o := range others {
		if len(start) >= len(o.start) && bytes.EqualFold(start[:len(o.start)], []byte(o.start)) {
			return &fault.Error{File: name, What: "is " + o.what, Fix: o.fix}
		}
	}
	if wide(start) == "" && bytes.IndexByte(start, 0) >= 0 {
		return &fault.Error{File: name, What: "is neither a text nor a workbook", Fix: "give a CSV, TSV, SMILES, SD or .xlsx file"}
	}
	return nil
}
