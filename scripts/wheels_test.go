// Package scripts tests the set-up: the wheels here with wheels of a few bytes.
package scripts

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// go test repeats a test when a file changed that the test itself opened, but not when a file
// changed that other programs read. So the scripts are opened here.
func TestScriptsAreThere(t *testing.T) {
	for _, script := range []string{"cxx", "env.sh", "gpu.py", "setup", "variant.sh", "wheels.py"} {
		if _, err := os.ReadFile(script); err != nil {
			t.Error(err)
		}
	}
}

// site is a set-up of two small wheels in a temporary folder.
type site struct {
	t            *testing.T
	dir          string
	requirements string
}

func newSite(t *testing.T) *site {
	t.Helper()
	if err := exec.Command("python3", "-c", "import pip").Run(); err != nil {
		t.Skip("no Python with pip here: apt-get install python3-pip")
	}
	s := &site{t: t, dir: t.TempDir()}
	s.requirements = filepath.Join(s.dir, "wheels-cu117-cpu.txt")
	torch := s.wheel("torch", map[string]string{
		"torch/lib/libc10.so":      "c10",
		"torch/lib/libunwanted.so": "not kept",
		"torch/include/c10/a.h":    "header",
		"torch/nn/__init__.py":     "not kept",
	})
	cuda := s.wheel("nvidia_cupti", map[string]string{"nvidia/cupti/lib/libcupti.so.1": "cupti"})
	s.write(s.requirements, "torch==1.0 --hash=sha256:"+torch+"\nnvidia-cupti==1.0 --hash=sha256:"+cuda+"\n")
	return s
}

// wheel puts a wheel into the folder from which pip installs, and returns its sha256.
func (s *site) wheel(name string, files map[string]string) string {
	s.t.Helper()
	path := filepath.Join(s.dir, "index", name+"-1.0-py3-none-any.whl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	info := name + "-1.0.dist-info/"
	files[info+"METADATA"] = "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n"
	files[info+"WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
	files[info+"RECORD"] = ""
	for file, content := range files {
		w, err := z.Create(file)
		if err != nil {
			s.t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(s.read(path))))
}

func (s *site) path(name string) string { return filepath.Join(s.dir, "deps", "torch", name) }

func (s *site) read(path string) string {
	s.t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(b)
}

func (s *site) write(path, content string) {
	s.t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) command() *exec.Cmd {
	c := exec.Command("python3", "wheels.py", s.requirements, filepath.Join(s.dir, "deps", "torch"))
	c.Env = append(os.Environ(), "PIP_NO_INDEX=1", "PIP_FIND_LINKS="+filepath.Join(s.dir, "index"))
	return c
}

// setup runs wheels.py and returns what it prints.
func (s *site) setup() string {
	s.t.Helper()
	out, err := s.command().CombinedOutput()
	if err != nil {
		s.t.Fatalf("wheels.py: %v\n%s", err, out)
	}
	return string(out)
}

// check fails the test unless the folder holds the wheels' files, whole.
func (s *site) check() {
	s.t.Helper()
	for file, want := range map[string]string{
		"torch/lib/libc10.so":            "c10",
		"torch/include/c10/a.h":          "header",
		"nvidia/cupti/lib/libcupti.so.1": "cupti",
	} {
		if got := s.read(s.path(file)); got != want {
			s.t.Errorf("%s holds %q, want %q", file, got, want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(s.dir, "deps", "*tmp*")); left != nil {
		s.t.Errorf("left behind: %v", left)
	}
}

func TestUnpacksWhatABuildNeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	s.setup()
	s.check()
	for _, file := range []string{"torch/lib/libunwanted.so", "torch/nn/__init__.py"} {
		if _, err := os.Stat(s.path(file)); err == nil {
			t.Errorf("%s was unpacked: no build needs it", file)
		}
	}
}

func TestSecondCallDoesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	s.setup()
	if err := os.RemoveAll(filepath.Join(s.dir, "index")); err != nil {
		t.Fatal(err)
	}
	if out := s.setup(); out != "" {
		t.Errorf("the second call printed %q, want nothing", out)
	}
}

// A killed set-up leaves no marker, some files, and some unpacked files beside them.
func TestInterruptionIsRepairedWithoutFetching(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	s.setup()
	if err := os.Remove(s.path(".wheels-cu117-cpu")); err != nil {
		t.Fatal(err)
	}
	s.write(s.path("torch/lib/libc10.so"), "c")
	if err := os.MkdirAll(filepath.Join(s.dir, "deps", "torch.tmp", "torch"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(s.dir, "index")); err != nil {
		t.Fatal(err)
	}
	s.setup()
	s.check()
}

func TestNewRequirementsReplaceOldFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	s.setup()
	s.write(s.path("torch/lib/libc10.so"), "older")
	s.write(s.requirements, s.read(s.requirements)+"# another pin\n")
	s.setup()
	s.check()
}

func TestWrongHashIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	s.wheel("torch", map[string]string{"torch/lib/libc10.so": "forged"})
	out, err := s.command().CombinedOutput()
	if err == nil {
		t.Fatal("a wheel with another sha256 was accepted")
	}
	if last := "nothing was unpacked\n"; !strings.HasSuffix(string(out), last) {
		t.Errorf("the output ends with %q, want %q", out, last)
	}
	if _, err := os.Stat(s.path("")); err == nil {
		t.Error("something was unpacked")
	}
	if kept, _ := filepath.Glob(filepath.Join(s.dir, "deps", "wheels", "*")); kept != nil {
		t.Errorf("kept of the refused download: %v", kept)
	}
}

func TestTwoAtOnceFetchOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	s := newSite(t)
	var outputs [2]strings.Builder
	var commands [2]*exec.Cmd
	for i := range commands {
		commands[i] = s.command()
		commands[i].Stdout = &outputs[i]
		commands[i].Stderr = &outputs[i]
		if err := commands[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	fetched := 0
	for i, c := range commands {
		if err := c.Wait(); err != nil {
			t.Errorf("wheels.py %d: %v", i, err)
		}
		fetched += strings.Count(outputs[i].String(), "fetching")
	}
	if fetched != 1 {
		t.Errorf("fetched %d times, want once:\n%s%s", fetched, outputs[0].String(), outputs[1].String())
	}
	s.check()
}
