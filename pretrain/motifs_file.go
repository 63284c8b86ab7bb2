package pretrain

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/data/source"
	"pacia/internal/atomicfile"
	"pacia/internal/input"
)

// motifsVersion must be increased if the motifs of the same molecules, or the format of the
// file, change.
const motifsVersion = 1

// findMotifs sets the motif trees of the library. It reads them from the cache folder, or
// computes them and writes them there. A file is the SHA-256 of the rest, followed by
// [motifTrees] in gob's format. Its name contains a hash of the molecules and of the program
// that splits them.
func (l *Library) findMotifs(ctx context.Context, src Source, smiles []string) error {
	key := sha256.Sum256(fmt.Appendf(nil, "motifs %d\nrdkit %s\nmolecules %s\n", motifsVersion, rdkit.Version(), l.Hash))
	folder, err := source.CacheFolder(src.Cache)
	file := filepath.Join(folder, fmt.Sprintf("%.64s-%x.motifs", l.Name, key[:8]))
	if err == nil {
		l.motifs = readMotifs(ctx, file, l.Store)
	}
	if l.motifs == nil {
		l.motifs = takeApart(ctx, smiles, l.Store, src.Threads)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = l.motifs.write(file)
		}
		if err != nil {
			slog.Warn("the motifs are not kept: the molecules will be taken apart again next time", "reason", err)
		}
	}
	l.Hash = fmt.Sprintf("%x", sha256.Sum256([]byte(l.Hash+l.motifs.hash())))
	return nil
}

func (t *motifTrees) write(file string) error {
	var content bytes.Buffer
	if err := gob.NewEncoder(&content).Encode(t); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	sum := sha256.Sum256(content.Bytes())
	return atomicfile.WriteBytes(file, append(sum[:], content.Bytes()...))
}

// readMotifs returns nil if the file is missing or cannot be used.
func readMotifs(ctx context.Context, file string, store *molecule.Store) *motifTrees {
	content, err := input.ReadAll(ctx, file, input.Regular, 0)
	t := new(motifTrees)
	if err == nil {
		err = t.parse(content, store.Len())
	}
	switch {
	case err == nil:
		return t
	case !errors.Is(err, fs.ErrNotExist):
		slog.Warn("the file of motifs is damaged and is made again", "file", file, "reason", err)
	}
	return nil
}

func (t *motifTrees) parse(content []byte, molecules int) error {
	if len(content) < sha256.Size {
		return fmt.Errorf("%d bytes are too few", len(content))
	}
	if sum := sha256.Sum256(content[sha256.Size:]); !bytes.Equal(sum[:], content[:sha256.Size]) {
		return errors.New("the checksum does not fit")
	}
	if err := gob.NewDecoder(bytes.NewReader(content[sha256.Size:])).Decode(t); err != nil {
		return err
	}
	if len(t.Ptr) != molecules+1 {
		return fmt.Errorf("of %d molecules, want %d", len(t.Ptr)-1, molecules)
	}
	return nil
}
