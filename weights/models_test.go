package weights

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// room is the largest size of the model, in bytes: every clone of the repository contains it and
// all its earlier versions.
const room = 16 << 20

// TestShipped checks that the model can be opened and built, that its metadata describe its
// origin, and that they contain no paths of the machine that made it.
func TestShipped(t *testing.T) {
	if len(fsmol) > room {
		t.Errorf("the model has %d bytes; at most %d may ship", len(fsmol), room)
	}
	err := ops.Pinned(1, func() error {
		c, err := Open("")
		if err != nil {
			return err
		}
		defer c.Close()
		if path := c.Config.Data.Path; path == data.Embedded || filepath.IsAbs(path) || filepath.IsAbs(c.Config.Data.Cache) {
			t.Errorf("its data are %q, with the cache %q; train it in the folder that holds fsmol, as make model does", path, c.Config.Data.Cache)
		}
		if c.DataHash == "" || c.Program == "" || len(c.Tasks.Train) == 0 || c.Episode() == 0 {
			t.Errorf("the metadata do not describe the origin: data %q, program %q, %d training tasks, %d episodes",
				c.DataHash, c.Program, len(c.Tasks.Train), c.Episode())
		}
		m, err := c.Model("cpu")
		if err != nil {
			return err
		}
		m.Drop()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestOpenTakesAFile checks that a path is opened in place of the model that ships.
func TestOpenTakesAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "best.ckpt")
	if err := os.WriteFile(file, []byte("no checkpoint"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.HasPrefix(err.Error(), file) {
		t.Errorf("a file that is not a checkpoint gives %v, want a fault that names it", err)
	}
}
