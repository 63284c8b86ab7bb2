package rdkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes the test program also a serving program, with faults if the environment requests them.
func TestMain(m *testing.M) {
	switch how := os.Getenv("PACIA_TEST_SERVES"); how {
	case "":
		os.Exit(m.Run())
	case "well":
		if err := Serve(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "badly":
		_ = serve(os.Stdin, os.Stdout, badly)
	case "embedding badly":
		_ = serve(os.Stdin, os.Stdout, embeddingBadly)
	case "strangely":
		fmt.Print("\x05\x00\x00\x00hello")
	}
}

// badly crashes on some molecules, takes forever on another, and answers all others correctly.
func badly(q question, p *Parser, to []byte) ([]byte, error) {
	switch {
	case strings.HasPrefix(q.text, "[U]"):
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	case strings.HasPrefix(q.text, "[Pu]"):
		os.Exit(3)
	case strings.HasPrefix(q.text, "[Np]"):
		time.Sleep(time.Hour)
	}
	return q.answer(p, to)
}

// embeddingBadly crashes when it embeds a uranium compound.
func embeddingBadly(q question, p *Parser, to []byte) ([]byte, error) {
	if q.kind == askConformer && q.a == 0 && strings.Contains(q.text, "[U]") {
		_ = syscall.Kill(os.Getpid(), syscall.SIGSEGV)
		select {}
	}
	return q.answer(p, to)
}

// served makes RDKit run in processes that serve in the given way.
func served(t testing.TB, how string, patience time.Duration) *pool {
	t.Helper()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &pool{command: []string{"/usr/bin/env", "PACIA_TEST_SERVES=" + how, own}, patience: patience}
	t.Cleanup(p.begin())
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

// TestApartIsHere: another process answers all questions as this process does.
func TestApartIsHere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	smiles := []string{
		"CCO", "", "F/C=C/F", "C(C", "[C@@H](N)(C)C(=O)O", "c1ccc2[nH]ccc2c1", "[Na+].[Cl-]", "C\u0421C", "cc", "*C", "N[Pt@SP1](N)(Cl)Cl",
		strings.Repeat("C", MaxSMILES+1), strings.Repeat("C", MaxAtoms+1), "[2H]OC", "CC(C)(C)(C)C", "C$C", strings.Repeat("C", 900),
	}
	for len(smiles) < 700 { // more than fit a window
		smiles = append(smiles, strings.Repeat("CO", len(smiles)%10)+"N")
	}
	doors := func() (all []string) {
		for _, s := range smiles[:16] {
			m, err := Parse(s)
			k, errK := ParseKekule(t.Context(), s, len(s)%2 == 0)
			canonical, errC := Canonical(t.Context(), s)
			block, errB := ToBlock(t.Context(), s)
			svg, errD := Draw(t.Context(), s, 200, 100)
			values, errV := Descriptors(t.Context(), []float64{7}, s)
			back, _, errF := FromBlock(t.Context(), block)
			AllMotifs(context.Background(), []string{s}, func(i int, m Motifs, err error) { all = append(all, fmt.Sprint(i, m, err)) })
			_, block, _ = strings.Cut(block, "V2000") // without the time of day
			all = append(all, outcome(m, err), fmt.Sprint(k, errK), fmt.Sprint(canonical, errC), fmt.Sprint(block, errB), fmt.Sprint(string(svg), errD),
				fmt.Sprint(values, errV), fmt.Sprint(back, errF))
		}
		return all
	}
	parsers := []Parser{{}, {Counts: true}, {Counts: true, Bare: true}}
	var want [][]string
	for i := range parsers {
		want = append(want, outcomes(&parsers[i], smiles))
	}
	wantDoors := doors()
	pool := served(t, "well", patience)
	for i := range parsers {
		p := Parser{Counts: parsers[i].Counts, Bare: parsers[i].Bare}
		same(t, fmt.Sprintf("counts %v, bare %v", p.Counts, p.Bare), outcomes(&p, smiles), want[i])
	}
	same(t, "doors", doors(), wantDoors)
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
			t.Errorf("%s: answer %d is\n%.300s\nand here\n%.300s", what, i, got[i], want[i])
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
		if m, err := new(Parser).here(smiles[i]); got[i] != outcome(m, err) {
			t.Errorf("%s beside those that kill: %s", smiles[i], got[i])
		}
	}
	if _, err := Parse("[U]"); err == nil || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("alone: %v", err)
	}
	if !IsApart() {
		t.Error("RDKit runs in this process again after a crash")
	}
}

// marked is a molecule whose graph is read by RDKit, since it has a mark of stereochemistry.
const marked = "C[C@H](N)O"

// TestAProcessThatSomebodyKilled: if a process is killed from outside, no molecule is refused.
func TestAProcessThatSomebodyKilled(t *testing.T) {
	pool := served(t, "well", patience)
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
	served(t, "well", 20*time.Second)
	p := apart.Load()
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

// TestOneProcessThatIsKilled: if processes temporarily end at once, RDKit does not run in this process.
func TestOneProcessThatIsKilled(t *testing.T) {
	served(t, "well", patience)
	if _, err := Parse(marked); err != nil {
		t.Fatal(err)
	}
	p := apart.Load()
	command := p.command
	p.stop() // no idle process remains
	p.command = []string{"/bin/false"}
	if _, err := Parse("C[13CH2]O"); err == nil || !IsApart() {
		t.Errorf("processes that end at once: %v, apart %v; want a reason, and the isolation kept", err, IsApart())
	}
	p.command = command
	if _, err := Parse("C[13CH2]N"); err != nil || !IsApart() {
		t.Errorf("afterwards: %v, apart %v", err, IsApart())
	}
}

// TestNoProcessToBeHad: if the program does not exist, or is another one, RDKit runs in this process.
func TestNoProcessToBeHad(t *testing.T) {
	for what, begin := range map[string]func(){
		"none":    func() { t.Cleanup(Apart("/no/such/program")) },
		"another": func() { served(t, "strangely", patience) },
		"silent":  func() { t.Cleanup(Apart("/bin/true")) },
	} {
		begin()
		want, _ := new(Parser).here(marked)
		if m, err := Parse(marked); err != nil || !slices.Equal(m.Atoms, want.Atoms) {
			t.Errorf("%s: %v, %v", what, m, err)
		}
		if IsApart() {
			t.Errorf("%s: IsApart returns true", what)
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
		for _, how := range []string{"here", "apart"} {
			b.Run(form.name+"/"+how, func(b *testing.B) {
				p := form.parser
				if how == "apart" {
					served(b, "well", patience)
				}
				p.ParseAll(b.Context(), chunk, func(int, Mol, error) {})
				for b.Loop() {
					p.ParseAll(b.Context(), chunk, func(int, Mol, error) {})
				}
			})
		}
	}
}
