package shards

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/internal/badinput"
	"pacia/screen/ranking"
)

// planOf returns a plan of n parts in a temporary folder.
func planOf(t *testing.T, n int, asked Asked) *Plan {
	t.Helper()
	p, err := New(filepath.Join(t.TempDir(), "ranked.csv.parts"), asked, make([]ranking.Part, n))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRun: successes are reported to done. Failures are returned in the order of the
// library, with their last message or the signal that killed them.
func TestRun(t *testing.T) {
	p := planOf(t, 4, Asked{})
	end := func(part int) string { return fmt.Sprintf("touch '%s'", p.file(part, countsKind)) }
	scripts := []string{end(0), "echo first; echo 'pacia: no room' >&2; exit 1", end(2), "kill -9 $$"}
	var done []int
	failed := p.Run(context.Background(), p.Todo(), 1, func(part int) []string { return []string{"/bin/sh", "-c", scripts[part]} },
		func(part int) { done = append(done, part) })
	if !slices.Equal(done, []int{0, 2}) {
		t.Errorf("ended well: %v, want parts 0 and 2", done)
	}
	want := []Failure{{Part: 1, Reason: "no room"}, {Part: 3, Reason: "killed by SIGKILL"}}
	if !slices.Equal(failed, want) {
		t.Errorf("failed: %+v, want %+v", failed, want)
	}
	if todo := p.Todo(); !slices.Equal(todo, []int{1, 3}) {
		t.Errorf("incomplete parts %v, want the failed ones", todo)
	}
	if err := p.Trouble(failed); err == nil || !strings.Contains(err.Error(), "2 of 4 parts were not ranked, the first of them part 2: no room") {
		t.Errorf("the error is %v", err)
	}
}

// TestRunEndsAtBadInput: parts after one with bad input are not ranked, because a single process
// would not have reached them. The error is that of the bad part.
func TestRunEndsAtBadInput(t *testing.T) {
	p := planOf(t, 3, Asked{})
	scripts := []string{"true", "echo 'pacia: row 7: no molecule' >&2; exit 2", "sleep 60"}
	begun := time.Now()
	failed := p.Run(context.Background(), p.Todo(), 2, func(part int) []string { return []string{"/bin/sh", "-c", scripts[part]} }, func(int) {})
	if time.Since(begun) > 50*time.Second {
		t.Error("Run waited for a part after the bad one")
	}
	var bad *badinput.Error
	if err := p.Trouble(failed); !errors.As(err, &bad) || !strings.Contains(err.Error(), "row 7: no molecule") {
		t.Errorf("the error is %v, of %+v", err, failed)
	}
}

// TestCheck: a plan refuses another program, command, settings, device or input.
func TestCheck(t *testing.T) {
	library := filepath.Join(t.TempDir(), "library.csv")
	write := func(text string) {
		if err := os.WriteFile(library, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("smiles\nC\n")
	in, err := InputOf(context.Background(), library, true)
	if err != nil {
		t.Fatal(err)
	}
	asked := Asked{Program: "1", Command: []string{"predict", "--top", "5"}, Settings: "a", Shards: 2, Threads: 2, Chunk: 512, Inputs: []Input{in}}
	made := planOf(t, 2, asked)
	p, err := Open(made.dir) // as the next command finds it
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Check(context.Background(), asked); err != nil {
		t.Errorf("the same command is refused: %v", err)
	}
	for what, change := range map[string]func(*Asked){
		"of pacia 1":           func(a *Asked) { a.Program = "2" },
		"are 2 shards":         func(a *Asked) { a.Shards = 3 },
		"predict --top 5":      func(a *Asked) { a.Command = []string{"predict"} },
		"of other settings":    func(a *Asked) { a.Settings = "b" },
		"scores 512 molecules": func(a *Asked) { a.Chunk = 64 },
	} {
		now := asked
		change(&now)
		if err := p.Check(context.Background(), now); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("the error is %v, without %q", err, what)
		}
	}
	write("smiles\nN\n")
	if err := p.Check(context.Background(), asked); err == nil || !strings.Contains(err.Error(), "library.csv") {
		t.Errorf("another library of the same size: the error is %v", err)
	}
}

// TestNoPlan: a missing folder gives no plan, and a broken plan is reported with a remedy.
func TestNoPlan(t *testing.T) {
	if p, err := Open(filepath.Join(t.TempDir(), "none")); p != nil || err != nil {
		t.Errorf("without a folder: %v, %v", p, err)
	}
	p := planOf(t, 1, Asked{})
	if err := os.WriteFile(filepath.Join(p.dir, planFile), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(p.dir); err == nil || !strings.Contains(err.Error(), "remove the folder") {
		t.Errorf("the error of half a plan is %v", err)
	}
}

// TestHolds: while a process holds a part, others wait. While a command holds the
// folder, other commands are refused.
func TestHolds(t *testing.T) {
	p := planOf(t, 1, Asked{})
	first, err := p.Hold(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	short, end := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer end()
	if _, err := p.Hold(short, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a locked part is locked again: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := p.Hold(context.Background(), 0)
	if err != nil {
		t.Fatalf("a part that was released: %v", err)
	}
	defer second.Close()
	alone, err := Alone(context.Background(), p.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	if _, err := Alone(context.Background(), p.dir); err == nil || !strings.Contains(err.Error(), "another pacia predict") {
		t.Errorf("the error of the second command is %v", err)
	}
}

// TestLastLine: text that a progress bar has overwritten does not count.
func TestLastLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for text, want := range map[string]string{
		"a\npacia: b: c\n": "b: c", "10 %\r20 %\rno room\n\n": "no room", "": "", strings.Repeat("x", 1<<17) + "\nlast": "last",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := LastLine(path); got != want {
			t.Errorf("%.20q: last line %q, want %q", text, got, want)
		}
	}
}

// TestGatherDamaged: a kept part that cannot be read is reported with the file to remove.
func TestGatherDamaged(t *testing.T) {
	p := planOf(t, 1, Asked{})
	if err := os.WriteFile(p.file(0, countsKind), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, files, err := p.Gather()
	if err == nil || !strings.Contains(err.Error(), "0000.json") || !strings.Contains(err.Error(), "ranks the part again") {
		t.Errorf("the error of a part without rows is %v", err)
	}
	for _, f := range files {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
