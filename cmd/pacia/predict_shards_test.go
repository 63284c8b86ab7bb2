package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/harness/chains"
)

// long returns a library of n rows, chains with groups. Some are unreadable, at and beside the
// multiples of 512 at which parts can begin, some names have several lines, and some lines are
// empty.
func long(n int) string {
	var b strings.Builder
	b.WriteString("smiles,name\n")
	for i := range n {
		smiles, name := strings.Repeat("C", 1+i%11)+chains.Groups[i%len(chains.Groups)], fmt.Sprintf("m%d", i)
		switch near := (i + 2) % 512; {
		case near < 4 && i%3 == 0:
			smiles = "C(C" + strconv.Itoa(i)
		case near < 4:
			name = "\"several\nlines, and \"\"marks\"\" of " + name + "\n\""
		case i%700 == 1:
			b.WriteString("\n,\n")
		}
		b.WriteString(smiles + "," + name + "\n")
	}
	return b.String()
}

// inParts ranks in parts, and compares the files with those that one process wrote to one.csv.
func inParts(t *testing.T, shards int, args ...string) string {
	t.Helper()
	t.Setenv(asPacia, "1")
	for _, file := range []string{"parts.csv", "parts.invalid.csv"} {
		_ = os.Remove(file)
	}
	out := ok(t, append(args, "--out", "parts.csv", "--shards", strconv.Itoa(shards))...)
	sameFiles(t)
	return out
}

func sameFiles(t *testing.T) {
	t.Helper()
	for _, kind := range []string{".csv", ".invalid.csv"} {
		one, err := os.ReadFile("one" + kind)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := os.ReadFile("parts" + kind)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, parts) {
			t.Errorf("parts%s is not what one process writes: %d and %d bytes", kind, len(parts), len(one))
		}
	}
	if _, err := os.Stat("parts.csv.parts"); err == nil {
		t.Error("the folder of the parts is left")
	}
}

// comparable returns the lines of a report that are the same with and without parts.
func comparable(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if word, _, _ := strings.Cut(line, " "); word != "ranked" && word != "unread" && word != "parts" && word != "scores" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

// TestShardsAreOneProcess checks that parts give the same table, list and report as one process,
// with and without --top. TestShardsOfSeveralFiles has many parts without --top.
func TestShardsAreOneProcess(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCO,1\nCCCN,0\n")
	put(t, "outcome.csv", "smiles,active\nCCCCCO,1\nCCCCl,0\nCCCCCCCN,0\n")
	put(t, "candidates.csv", long(2500))
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv"}
	for i, more := range [][]string{nil, {"--top", "50", "--prior", "0.02"}, {"--top", "20", "--diverse", "5", "--outcome", "outcome.csv"}} {
		args := append(args, more...)
		one := ok(t, append(args, "--out", "one.csv")...)
		n := []int{1, 3, 4}[i]
		sameReport(t, n, inParts(t, n, args...), one)
	}
}

// sameReport checks that the reports of n parts and of one process agree, and that the former has
// the number of parts.
func sameReport(t *testing.T, n int, parts, one string) {
	t.Helper()
	if comparable(parts) != comparable(one) {
		t.Errorf("%d parts report\n%s\none process\n%s", n, parts, one)
	}
	if !strings.Contains(parts, fmt.Sprintf("\nparts    %d\n", n)) {
		t.Errorf("the report does not state %d parts:\n%s", n, parts)
	}
}

// TestShardsOfATrainedModel checks that scores that depend on sums over a batch are the same to the
// bit, because parts begin where batches begin.
func TestShardsOfATrainedModel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	trained(t, "run")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	put(t, "candidates.csv", long(1600))
	args := []string{"predict", "--checkpoint", "run/best.ckpt", "--support", "labelled.csv", "--candidates", "candidates.csv"}
	ok(t, append(args, "--out", "one.csv")...)
	inParts(t, 3, args...)
}

// TestShardsOfSeveralFiles cuts within a gzip file, within an SD file, whose columns are known only
// after it was read, and within a text.
func TestShardsOfSeveralFiles(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(long(1100))); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	put(t, "a.csv.gz", packed.String())
	var sd strings.Builder
	for i := range 1200 {
		fmt.Fprintf(&sd, "s%d\n  made up\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 %s   0  0\n  1  2  1  0\nM  END\n",
			i, []string{"O", "N", "S"}[i%3])
		fmt.Fprintf(&sd, "> <field %d>\n%d\n\n$$$$\n", i/300, i)
	}
	put(t, "b.sdf", sd.String())
	put(t, "c.csv", "name,smiles,place\n"+strings.Repeat("x,CCCO,here\n", 1500))
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "a.csv.gz", "--candidates", "b.sdf", "--candidates", "c.csv"}
	one := ok(t, append(args, "--out", "one.csv")...)
	sameReport(t, 5, inParts(t, 5, args...), one)
}

// TestShardsKilled checks that the same command ranks a killed part again, and keeps the others.
func TestShardsKilled(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	put(t, "candidates.csv", long(2000))
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv"}
	ok(t, append(args, "--out", "one.csv")...)
	t.Setenv(asPacia, "1")
	t.Setenv("PACIA_THREADS", "1") // one part after the other
	args = append(args, "--out", "parts.csv", "--shards", "3")
	c := exec.Command(os.Args[0], args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	second := "parts.csv.parts/0001.lock"
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(second); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the second part is not begun within two minutes")
		}
	}
	if pid := partOf(c.Process.Pid); pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended before
	} else {
		_ = c.Process.Kill() // its parts end with it
	}
	_ = c.Wait() // it was killed, or a part is missing
	if _, err := os.Stat("parts.csv.parts/0000.rows"); err != nil {
		t.Fatalf("the first part is not kept: %v\n%s", err, stderr.String())
	}
	if _, err := os.Stat("parts.csv"); err == nil {
		t.Skip("the second part ended before it was killed")
	}
	r := pacia(args...)
	if r.code != 0 || !strings.Contains(r.err, " of 3 parts ranked before\n") {
		t.Fatalf("again: exit code %d, %s", r.code, r.err)
	}
	sameFiles(t)
}

// partOf returns the process of a part that a process has started; 0 without one.
func partOf(pid int) int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(children)) {
			if line, _ := os.ReadFile("/proc/" + child + "/cmdline"); bytes.Contains(line, []byte("--part\x00")) {
				part, _ := strconv.Atoi(child)
				return part
			}
		}
	}
	return 0
}

// TestShardsNoticeChanges checks that parts of another library, support set or command are not merged.
func TestShardsNoticeChanges(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	put(t, "candidates.csv", long(1100))
	t.Setenv(asPacia, "1")
	t.Setenv("PATH", "")
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "parts.csv", "--shards", "2"}
	// Without sbatch, the library is cut and no part is ranked.
	wantFault(t, "pacia: there is no sbatch on this machine; submit where Slurm is, or leave --engine slurm out", append(args, "--engine", "slurm")...)
	const changed = " has changed since the library was cut into parts; remove the folder of the parts, and give the command again"
	const other = "; give the command as it was, or remove the folder to begin anew"
	before, err := os.ReadFile("candidates.csv")
	if err != nil {
		t.Fatal(err)
	}
	info, _ := os.Stat("candidates.csv")
	put(t, "candidates.csv", strings.Replace(string(before), "CCCCl", "CCCBr", 1))
	if err := os.Chtimes("candidates.csv", time.Time{}, info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	wantFault(t, "pacia: candidates.csv:"+changed, args...)
	put(t, "candidates.csv", string(before))
	if err := os.Chtimes("candidates.csv", time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCS,0\n")
	wantFault(t, "pacia: labelled.csv:"+changed, args...)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	wantFault(t, "pacia: parts.csv.parts: the parts in this folder are of another command: predict --method=similarity --out=parts.csv --support=labelled.csv --candidates=candidates.csv"+other,
		append(args, "--top", "5")...)
	wantFault(t, "pacia: parts.csv.parts: the parts in this folder are 2 shards"+other, append(args, "--shards", "3")...)
}

// TestShardsFaults checks that errors are those of one process, and are reported before a part
// begins if possible.
func TestShardsFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCN,0\n")
	put(t, "bad.csv", long(1000))
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--out", "ranked.csv"}
	t.Setenv(asPacia, "1")
	more := []string{"--candidates", "bad.csv", "--on-invalid", "fail"}
	one := pacia(append(args, more...)...)
	parts := pacia(append(append(args, more...), "--shards", "2")...)
	if one.code != exitBadInput || parts.code != one.code || parts.err != one.err {
		t.Errorf("%v: one process leaves with %d, %q; parts with %d, %q", more, one.code, one.err, parts.code, parts.err)
	}
	if left, _ := filepath.Glob("ranked*"); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
	args = append(args, "--candidates", "bad.csv")
	for _, tt := range []struct {
		more []string
		want string
	}{
		{[]string{"--shards", "0"}, "--shards 0 is out of range; write 1 to 1000"},
		{[]string{"--shards", "2", "--engine", "cloud"}, `--engine "cloud" is not known; write local or slurm`},
		{[]string{"--engine", "slurm"}, "--engine has no effect without --shards; also write --shards, or leave it out"},
		{[]string{"--shards", "2", "--sbatch", "--mem=1G"}, "--sbatch is an option of --engine slurm; leave it out"},
		{[]string{"--shards", "2", "--engine", "slurm", "--sbatch", "4G"}, "--sbatch \"4G\" is not an option of sbatch; write one such as --sbatch=--mem=4G"},
		{[]string{"--shards", "2", "--candidates", "-"}, "the standard input can be read once only; write the name of a file where there are --shards"},
		{[]string{"--shards", "2", "--out", "-"}, "--shards needs a file to write; write a name such as --out ranked.csv"},
	} {
		given := args
		if slices.Contains(tt.more, "--out") {
			given = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "--out" || arg == "ranked.csv" })
		}
		wantFault(t, "pacia: "+tt.want, append(slices.Clip(given), tt.more...)...)
	}
}
