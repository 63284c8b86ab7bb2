package sweep

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"pacia/harness/flip"
	"pacia/run/rundir"
)

// TestDamagedStates checks that a changed byte of a run's state is detected or has no effect.
func TestDamagedStates(t *testing.T) {
	at := runFiles{t.TempDir(), "seed=0"}
	if err := os.Mkdir(filepath.Join(at.dir, rundir.StateFolder), 0o777); err != nil {
		t.Fatal(err)
	}
	s := State{Run: at.name, Status: Failed, Device: "cpu", Host: "here", Episodes: 12, Exit: 1, Reason: "the loss is NaN", Begun: time.Unix(1e9, 0).UTC(), Ended: time.Unix(1e9+9, 0).UTC()}
	if err := at.write(s); err != nil {
		t.Fatal(err)
	}
	flip.Check(t, at.state(), at.read)
}
