package scripts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// linked makes a program in dir/bin whose exit code comes from a library in dir/lib that
// needs another library there. Its run path is still a folder of the build.
func linked(t *testing.T, dir string) (program string) {
	t.Helper()
	build := filepath.Join(dir, "a folder of the machine that built it")
	program = filepath.Join(dir, "bin", "program")
	fill(t, dir, map[string]string{
		"below.c": "int below(void) { return 42; }",
		"above.c": "int below(void); int above(void) { return below(); }",
		"main.c":  "int above(void); int main(void) { return above(); }",
		"bin/x":   "", "lib/x": "",
	})
	if err := os.Mkdir(build, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-shared", "-o", build + "/libbelow.so", "below.c"},
		{"-shared", "-o", build + "/libabove.so", "above.c", "-L" + build, "-lbelow"},
		{"-o", program, "main.c", "-L" + build, "-labove", "-Wl,-rpath," + build, "-Wl,-rpath-link," + build},
	} {
		c := exec.Command("gcc", args...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("gcc %v: %v\n%s", args, err, out)
		}
	}
	for _, name := range []string{"libbelow.so", "libabove.so"} {
		if err := os.Rename(filepath.Join(build, name), filepath.Join(dir, "lib", name)); err != nil {
			t.Fatal(err)
		}
	}
	return program
}

// A bundle's program must find its libraries, and their libraries, beside itself.
func TestRpathHoldsForLibrariesOfLibraries(t *testing.T) {
	program := linked(t, t.TempDir())
	if err := exec.Command(program).Run(); err == nil {
		t.Fatal("the program finds its libraries before its run path is set")
	}
	if out, err := run(nil, "python3", "rpath.py", program, "$ORIGIN/../lib"); err != nil || out != "" {
		t.Fatalf("rpath.py: %v, %q", err, out)
	}
	err := exec.Command(program).Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 42 {
		t.Errorf("got %v, want the exit code 42 that the second library returns", err)
	}
}

func TestRpathRefuses(t *testing.T) {
	program := linked(t, t.TempDir())
	for _, c := range []struct{ file, path, want string }{
		{program, "/" + strings.Repeat("long", 100), "is longer than"},
		{"rpath.py", "$ORIGIN", "is not a 64-bit ELF file"},
	} {
		out, err := run(nil, "python3", "rpath.py", c.file, c.path)
		if err == nil || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: got %q, %v; want a failure and one line with %q", c.file, out, err, c.want)
		}
	}
}
