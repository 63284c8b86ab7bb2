package serve

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"pacia/screen"
	"pacia/screen/ranking"
	"pacia/screen/why"
)

// Saved results are a ZIP archive of three entries: a description in JSON, the rows, and the
// molecules that could not be read. The last two have the format of parts of a library (package
// ranking). Saved results are opened with the files and fields of the ranking, whose digest they hold.
const (
	savedFormat, savedVersion               = "pacia ranking", 4
	savedAbout, savedRows, savedUnreadables = "ranking.json", "rows", "unread.csv"
	largestSaved, largestAbout              = 1 << 29, 64 << 20 // bytes; of the description, unpacked
)

// saved is the description.
type saved struct {
	Format  string               `json:"format"`
	Version int                  `json:"version"`
	Inputs  string               `json:"inputs"`  // digest of files and fields
	Support string               `json:"support"` // digest of the molecules read from the support set
	Origin  origin               `json:"origin"`
	Facts   facts                `json:"facts"`
	Stored  screen.Stored        `json:"kept"`
	Picked  map[int]int          `json:"picked,omitempty"`
	Pool    int                  `json:"pool,omitempty"` // number of first ranks from which they were picked
	Near    bool                 `json:"near"`           // rows have their nearest molecules
	Reasons map[int]*why.Reasons `json:"reasons,omitempty"`
	Unsure  bool                 `json:"uncertainty"`    // rows have their uncertainties
	Past    bool                 `json:"past,omitempty"` // rows have the numbers of past assays of their molecules
}

// origin records when a library was ranked, by which program and model, and how long that took.
type origin struct {
	At      time.Time `json:"at"`
	Program string    `json:"program"`
	Model   string    `json:"model"`
	Seconds float64   `json:"seconds"`
}

// digest returns a hash of the files and fields that a ranking depends on.
func (f *form) digest() (string, error) {
	h := sha256.New()
	for _, given := range slices.Sorted(slices.Values(f.nameValues)) {
		_, _ = fmt.Fprintf(h, "%q\n", given) // a hash never returns an error
	}
	for _, s := range slices.Concat(f.files["support"], f.files["before"], f.files["library"], f.files["against"], f.files["history"]) {
		if s == nil {
			continue
		}
		_, _ = fmt.Fprintf(h, "%q %d\n", s.name, s.size)
		if _, err := io.Copy(h, s.reader()); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

func digestOf(s *ranking.Support) string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %v", s.SMILES, s.Labels)))
}

func (r *result) writeSaved(w io.Writer) error {
	z, spill := zip.NewWriter(w), r.ranker.Spill
	v := saved{
		Format: savedFormat, Version: savedVersion, Inputs: r.inputs, Support: digestOf(r.ranker.Support), Origin: r.origin,
		Facts: r.facts, Picked: spill.Picked, Pool: r.ranker.Pool, Reasons: r.ranker.Reasons, Near: r.near(), Unsure: spill.Uncertain, Past: spill.Past,
	}
	v.Stored = screen.Stored{Unread: r.ranker.Invalid.Len(), LeftOut: r.ranker.LeftOut, Changes: r.ranker.Changes, Header: r.ranker.Table.Header}
	rows, err := z.Create(savedRows)
	if err != nil {
		return err
	}
	if v.Stored.Stored, err = spill.Store(rows, ranking.RowLimit{}, false); err != nil {
		return err
	}
	unread, err := z.Create(savedUnreadables)
	if err != nil {
		return err
	}
	if v.Stored.Listed, err = r.ranker.Invalid.Store(unread); err != nil {
		return err
	}
	about, err := z.Create(savedAbout)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(about).Encode(v), z.Close())
}
