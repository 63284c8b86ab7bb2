package rdkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes the test program also a serving program with faults, if the environment requests them.
func TestMain(m *testing.M) {
	switch how := os.Getenv("PACIA_TEST_SERVES"); how {
	case "":
		os.Exit(m.Run())
	case "badly":
		_ = serve(os.Stdin, os.Stdout, Version(), badly)
	case "embedding badly":
		_ = serve(os.Stdin, os.Stdout, Version(), embeddingBadly)
	case "strangely":
		fmt.Print("\x05\x00\x00\x00hello")
	}
}

// badly crashes on some molecules, takes forever on another, and passes all others on to pacia-rdkit.
func badly(kind byte, text string, a, b int32, to []byte) ([]byte, error) {
	switch {
	case strings.HasPrefix(text, "[U]"):
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	case strings.HasPrefix(text, "[Pu]"):
		os.Exit(3)
	case strings.HasPrefix(text, "[Np]"):
		time.Sleep(time.Hour)
	}
	answer, err := question{kind: kind, text: text, a: a, b: b}.ask(context.Background())
	return append(to, answer...), err
}

// embeddingBadly crashes when it embeds a uranium compound.
func embeddingBadly(kind byte, text string, a, b int32, to []byte) ([]byte, error) {
	if kind == askConformer && a == 0 && strings.Contains(text, "[U]") {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	}
	answer, err := question{kind: kind, text: text, a: a, b: b}.ask(context.Background())
	return append(to, answer...), err
}

// served makes RDKit run in processes that serve in the given way.
func served(t testing.TB, how string, patience time.Duration) *pool {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return begun(t, patience, "/usr/bin/env", "PACIA_TEST_SERVES="+how, own)
}

// begun makes RDKit run in new processes of a command until the test ends.
func begun(t testing.TB, patience time.Duration, command ...string) *pool {
	before, p := reader.Load(), &pool{command: command, patience: patience}
	reader.Store(p)
	t.Cleanup(func() {
		reader.Store(before)
		p.stop()
	})
	return p
}

// outcome returns a molecule or its error as text.
func outcome(m Mol, err error) string {
	if err != nil {
		return "refused: " + err.Error()
	}
	return fmt.Sprint([]any{m.Atoms, m.Ends, m.Bonds, m.Counts})
}

func outcomes(p *Parser, smiles []string) (all []string) {
	p.ParseAll(context.Background(), smiles, func(_ int, m Mol, err error) { all = append(all, outcome(m, err)) })
	return all
}

// TestBatches: molecules that are asked for together, more than fit a window, are answered as each alone, in their order.
func TestBatches(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	smiles := []string{
		"CCO", "", "F/C=C/F", "C(C", "[C@@H](N)(C)C(=O)O", "c1ccc2[nH]ccc2c1", "[Na+].[Cl-]", "C\u0421C", "cc", "*C", "N[Pt@SP1](N)(Cl)Cl",
		strings.Repeat("C", MaxSMILES+1), strings.Repeat("C", MaxAtoms+1), "[2H]OC", "CC(C)(C)(C)C", "C$C", strings.Repeat("C", 900),
	}
	for len(smiles) < 1000 {
		smiles = append(smiles, strings.Repeat("CO", len(smiles)%10)+"N", strings.Repeat("C", len(smiles)%90)+"[13CH3]", "[C@H](F)(N)C")
	}
	motifs := func(smiles []string) []string {
		all := make([]string, len(smiles))
		AllMotifs(context.Background(), smiles, func(i int, m Motifs, err error) { all[i] = fmt.Sprint(m, err) })
		return all
	}
	pool := begun(t, patience, Program())
	for _, p := range []Parser{{}, {Counts: true}, {Counts: true, Bare: true}} {
		var want []string
		for _, s := range smiles {
			want = append(want, outcomes(&p, []string{s})...)
		}
		same(t, fmt.Sprintf("counts %v, bare %v", p.Counts, p.Bare), outcomes(&p, smiles), want)
	}
	var want []string
	for _, s := range smiles[:16] {
		want = append(want, motifs([]string{s})...)
	}
	same(t, "motifs", motifs(smiles[:16]), want)
	if len(pool.idle) != 1 {
		t.Errorf("%d processes for one goroutine", len(pool.idle))
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d answers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: answer %d is\n%.300s\nand alone\n%.300s", what, i, got[i], want[i])
		}
	}
}

// TestAMoleculeThatKills: a molecule that crashes RDKit is refused, and those around it are read.
func TestAMoleculeThatKills(t *testing.T) {
	served(t, "badly", 300*time.Millisecond)
	smiles := []string{"CCO", "[U]", "CCN", "CCC", "[Pu]", "[Np]", "C(C", "CO"}
	got := outcomes(&Parser{}, smiles)
	if len(got) != len(smiles) {
		t.Fatalf("%d answers to %d questions: %q", len(got), len(smiles), got)
	}
	for i, reason := range map[int]string{1: "RDKit crashed (SIGSEGV: segmentation violation)", 4: "RDKit crashed (exit status 3", 5: "RDKit took more than 300ms"} {
		if !strings.HasPrefix(got[i], "refused: "+reason) {
			t.Errorf("%s: %s, want %q", smiles[i], got[i], reason)
		}
	}
	for _, i := range []int{0, 2, 3, 7} {
		if m, err := Parse(smiles[i]); got[i] != outcome(m, err) {
			t.Errorf("%s beside those that kill: %s", smiles[i], got[i])
		}
	}
	if _, err := Parse("[U]"); err == nil || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("alone: %v", err)
	}
}

// marked is a molecule whose graph is read by RDKit, since it has a mark of stereochemistry.
const marked = "C[C@H](N)O"

// TestAProcessThatSomebodyKilled: if a process is killed from outside, no molecule is refused.
func TestAProcessThatSomebodyKilled(t *testing.T) {
	pool := begun(t, patience, Program())
	for range 3 {
		a, errA := pool.get()
		b, errB := pool.get()
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for _, h := range []*process{a, b} {
			if err := h.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			pool.put(h)
		}
		if _, err := Parse(marked); err != nil {
			t.Error(err)
		}
	}
}

// TestStoppedMeanwhile: finished molecules are kept, and the others have the context's error.
func TestStoppedMeanwhile(t *testing.T) {
	served(t, "badly", time.Hour)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var errs []error
	new(Parser).ParseAll(ctx, []string{marked, "[Np]", marked}, func(_ int, _ Mol, err error) { errs = append(errs, err) })
	if len(errs) != 3 || !errors.Is(errs[1], context.DeadlineExceeded) || !errors.Is(errs[2], context.DeadlineExceeded) {
		t.Errorf("errors %v", errs)
	}
}

// TestSmallPipes: questions and answers larger than the pipes between the processes.
func TestSmallPipes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	begun(t, 20*time.Second, Program())
	p := reader.Load()
	h, err := p.get()
	if err != nil {
		t.Fatal(err)
	}
	for _, pipe := range []any{h.in, h.out} {
		raw, err := pipe.(*os.File).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := raw.Control(func(fd uintptr) { _, err = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 4096) }); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p.put(h)
	chunk := make([]string, 30)
	for i := range chunk {
		chunk[i] = strings.Repeat("C(=O)N", 150+i) + "C"
	}
	new(Parser).ParseAll(t.Context(), chunk, func(i int, m Mol, err error) {
		if err != nil || len(m.Atoms) == 0 {
			t.Errorf("molecule %d: %v", i, err)
		}
	})
}

// TestOneProcessThatIsKilled: if processes temporarily end at once, a molecule is refused, and later ones are read.
func TestOneProcessThatIsKilled(t *testing.T) {
	begun(t, patience, Program())
	if _, err := Parse(marked); err != nil {
		t.Fatal(err)
	}
	p := reader.Load()
	command := p.command
	p.stop() // no idle process remains
	p.command = []string{"/bin/false"}
	if _, err := Parse("C[13CH2]O"); err == nil {
		t.Error("a molecule is read by processes that end at once")
	}
	p.command = command
	if _, err := Parse("C[13CH2]N"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestNoProcessToBeHad: if the program does not exist, or is another one, all molecules that RDKit reads are refused with
// the path of the program.
func TestNoProcessToBeHad(t *testing.T) {
	for what, begin := range map[string]func(){
		"there is no /no/such/program": func() { begun(t, patience, "/no/such/program") },
		"/usr/bin/env is from another": func() { served(t, "strangely", patience) },
		"/bin/true":                    func() { begun(t, patience, "/bin/true") },
		"/etc: permission denied":      func() { begun(t, patience, "/etc") },
	} {
		begin()
		if err := Ready(); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("Ready: %v, want %s", err, what)
		}
		if Version() != "" {
			t.Errorf("%s: version %s", what, Version())
		}
		for _, text := range outcomes(&Parser{}, []string{marked, marked}) {
			if !strings.Contains(text, what) {
				t.Errorf("%s, want %s", text, what)
			}
		}
	}
}

// BenchmarkParse parses chunks as they occur in libraries.
func BenchmarkParse(b *testing.B) {
	chunk := make([]string, 128)
	for i := range chunk {
		chunk[i] = []string{"CC(C)(C)c1ccc2occ(CC(=O)Nc3ccccc3F)c2c1", "C[C@H](O)[C@@H](O)C(=O)N1CCN(c2ccccn2)CC1", "O=C(Nc1ccc(Cl)cc1)c1cc2ccccc2[nH]1"}[i%3]
	}
	for _, form := range []struct {
		name   string
		parser Parser
	}{{"graphs", Parser{}}, {"fingerprints", Parser{Counts: true, Bare: true}}} {
		b.Run(form.name, func(b *testing.B) {
			p := form.parser
			p.ParseAll(b.Context(), chunk, func(int, Mol, error) {})
			for b.Loop() {
				p.ParseAll(b.Context(), chunk, func(int, Mol, error) {})
			}
		})
	}
}
