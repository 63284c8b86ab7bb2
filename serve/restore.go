package serve

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"os"

	"pacia/internal/atomicfile"
	"pacia/internal/ui"
	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

func unusable(what string) problem {
	return problem{Status: http.StatusUnprocessableEntity, What: "the saved results cannot be used: " + what, Fix: "rank again"}
}

var damaged, cutShort = unusable("they are damaged"), unusable("they are cut or damaged")

// restore loads the saved results of a form into a ranker. Inputs is the digest of the form. The caller
// closes the file of rows that restore returns.
func (s *Server) restore(j *job, r *screen.Ranker, inputs string) (rows *os.File, err error) {
	b, err := s.boundsOf(j.ctx, j.form, r.Table, r.Support)
	if err != nil {
		return nil, err
	}
	z, err := archiveOf(j.form.file("results"))
	if err != nil {
		return nil, err
	}
	v, err := b.described(j.ctx, z, inputs, r)
	if err != nil {
		return nil, err
	}
	f, err := atomicfile.Nameless(temporary())
	if err != nil {
		return nil, err
	}
	if err := b.refill(j, r, z, v, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	j.update(func() {
		of := supportOf(r.Support)
		j.facts.Findings, j.facts.Support, j.facts.Trust, j.facts.Panel = v.Facts.Findings, &of, v.Facts.Trust, v.Facts.Panel
		j.facts.Batch, j.facts.Lack, j.facts.Changed, j.facts.Filters = v.Facts.Batch, v.Facts.Lack, v.Facts.Changed, v.Facts.Filters
		j.facts.Origin = &v.Origin
	})
	return f, nil
}

// endRecord is the length of the last record of a ZIP archive without a comment, largestDirectory the maximum length of
// the directory before it. Package zip reads a directory of any length into memory.
const endRecord, largestDirectory = 22, 4096

// archiveOf opens saved results.
func archiveOf(u *upload) (*zip.Reader, error) {
	var end [endRecord]byte
	if _, err := u.readerAt().ReadAt(end[:], max(0, u.size-endRecord)); err != nil || string(end[:4]) != "PK\x05\x06" {
		return nil, cutShort
	}
	length, start := binary.LittleEndian.Uint32(end[12:]), binary.LittleEndian.Uint32(end[16:])
	if length > largestDirectory || int64(start)+int64(length)+endRecord != u.size {
		return nil, damaged
	}
	z, err := zip.NewReader(u.readerAt(), u.size)
	if err != nil {
		return nil, cutShort
	}
	return z, nil
}

// described reads and checks the description of saved results.
func (b *bounds) described(ctx context.Context, z *zip.Reader, inputs string, r *screen.Ranker) (*saved, error) {
	f, err := z.Open(savedAbout)
	if err != nil {
		return nil, unusable("they lack a part, " + savedAbout)
	}
	defer f.Close()
	v, err := b.decode(ctx, io.LimitReader(f, largestAbout))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errBeyond) || errors.Is(err, why.ErrImpossible):
		return nil, damaged
	case err != nil || v.Format != savedFormat || v.Version < 1:
		return nil, unusable("they are not those of a ranking")
	case v.Version > savedVersion:
		return nil, unusable("a later version of pacia wrote them")
	case v.Inputs != inputs:
		return nil, unusable("they belong to other files or settings")
	case v.Support != digestOf(r.Support):
		return nil, unusable("this version of pacia reads the labelled molecules in another way")
	case !b.possible(v):
		return nil, damaged
	}
	return v, nil
}

// unpack copies an entry of at most this many bytes.
func unpack(z *zip.Reader, name string, most int64, to io.Writer) error {
	f, err := z.Open(name)
	if err != nil {
		return unusable("they lack a part, " + name)
	}
	defer f.Close()
	n, err := io.Copy(to, io.LimitReader(f, most+1))
	switch {
	case n > most:
		return unusable("they are larger than " + ui.Bytes(most))
	case err != nil:
		return cutShort
	}
	return nil
}

// refill unpacks the rows into a file, checks them, and passes them to a ranker.
func (b *bounds) refill(j *job, r *screen.Ranker, z *zip.Reader, v *saved, f *os.File) error {
	if err := unpack(z, savedRows, v.Stored.Bytes, f); err != nil {
		return err
	}
	if size, err := f.Seek(0, io.SeekEnd); err != nil || size != v.Stored.Bytes {
		return damaged
	}
	var unread bytes.Buffer
	if err := unpack(z, savedUnreadables, int64(v.Stored.Unread)*int64(b.library.Longest+longestReason), &unread); err != nil {
		return err
	}
	if n, err := countLines(unread.Bytes()); err != nil || n != v.Stored.Unread {
		return damaged
	}
	r.Spill.Longest = b.library.Longest
	if err := r.Restore(screen.Gathered{Stored: v.Stored, Rows: f, Unreadables: &unread}); err != nil {
		return damaged
	}
	r.Spill.Picked, r.Pool, r.Spill.Uncertain, r.Spill.Past = v.Picked, v.Pool, v.Unsure, v.Past
	r.Refined, r.Spill.Refined = v.Facts.Refined, v.Facts.Refined > 0
	r.State(v.Reasons)
	if v.Near {
		r.Spill.Nearest = r.Support
	}
	rows := rowChecker{bounds: b, layout: &r.Spill.Layout, rescored: v.Facts.Refined, met: make([]bool, v.Stored.Ranked)}
	err := r.Spill.Each(func(row ranking.Ranked) error {
		if !rows.sound(row) {
			return damaged
		}
		return j.ctx.Err()
	})
	switch {
	case j.ctx.Err() != nil:
		return j.ctx.Err()
	case err != nil || !rows.complete():
		return damaged
	}
	return nil
}

// longestReason is an upper limit of what a line about an unreadable molecule has beside cells of its row, in bytes.
const longestReason = 4096

// countLines returns the number of lines of a CSV text.
func countLines(text []byte) (n int, err error) {
	lines := csv.NewReader(bytes.NewReader(text))
	lines.ReuseRecord = true
	for ; ; n++ {
		if _, err := lines.Read(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
}
