package scripts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unpacked makes the files of an unpacked bundle for torch 2.11.0, with a program that
// prints the folders of its libraries, and returns the launcher.
func unpacked(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("launcher")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "a place")
	fill(t, folder, map[string]string{
		"pacia":     strings.NewReplacer("@TORCH@", "2.11.0", "@CUDART@", "libcudart.so.13").Replace(string(text)),
		"bin/pacia": "#!/bin/sh\necho \"$LD_LIBRARY_PATH\"; echo \"$@\"\n",
	})
	for _, file := range []string{"pacia", "bin/pacia"} {
		if err := os.Chmod(filepath.Join(folder, file), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "pacia")
}

// torch makes an installed torch of a version and returns its folder.
func torch(t *testing.T, major, minor, patch string) string {
	t.Helper()
	site, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fill(t, site, map[string]string{
		"torch/__init__.py":               "raise SystemExit('imported')\n",
		"torch/lib/libtorch_cuda.so":      "",
		"nvidia/cu13/lib/libcudart.so.13": "",
		"torch/include/torch/headeronly/version.h": "#define TORCH_VERSION_MAJOR " + major + "\n" +
			"#define TORCH_VERSION_MINOR " + minor + "\n#define TORCH_VERSION_PATCH " + patch + "\n",
	})
	return filepath.Join(site, "torch")
}

func TestLauncherFindsLibtorch(t *testing.T) {
	launcher, dir := unpacked(t), torch(t, "2", "11", "0")
	link := filepath.Join(t.TempDir(), "pacia")
	if err := os.Symlink(launcher, link); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(filepath.Dir(launcher), "lib") + ":" + dir + "/lib:" + filepath.Dir(dir) + "/nvidia/cu13/lib\ntrain --out a b\n"
	for _, environment := range []string{"LIBTORCH_DIR=" + dir, "PYTHONPATH=" + filepath.Dir(dir)} {
		if out, err := run([]string{environment}, link, "train", "--out", "a b"); err != nil || out != want {
			t.Errorf("%s: got %q, %v; want %q", environment, out, err, want)
		}
	}
}

// TestLauncherLeavesTheWorkingFolder: a torch of the working folder is not used.
func TestLauncherLeavesTheWorkingFolder(t *testing.T) {
	launcher, dir := unpacked(t), torch(t, "2", "11", "0")
	t.Chdir(filepath.Dir(dir))
	for _, environment := range []string{"PATH=" + os.Getenv("PATH"), "PYTHONPATH=" + t.TempDir()} {
		if out, err := run([]string{environment}, launcher, "version"); strings.Contains(out, dir) {
			t.Errorf("%s: got %q, %v", environment, out, err)
		}
	}
}

func TestLauncherRefuses(t *testing.T) {
	launcher := unpacked(t)
	for _, c := range []struct{ environment, want string }{
		{"LIBTORCH_DIR=" + torch(t, "2", "0", "1"), "is 2.0.1; this program was built for 2.11.0"},
		{"LIBTORCH_DIR=" + t.TempDir(), "no libtorch for CUDA in "},
		{"PYTHON=false", "set LIBTORCH_DIR to the folder torch of a torch 2.11.0"},
	} {
		out, err := run([]string{c.environment}, launcher, "version")
		if err == nil || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: got %q, %v; want a failure and one line with %q", c.environment, out, err, c.want)
		}
	}
}

// TestLauncherMissesCUDAsRuntime: the torch of PyTorch's own index has the runtime under another
// name than the program needs, and a torch that was installed without its requirements
// lacks it.
func TestLauncherMissesCUDAsRuntime(t *testing.T) {
	launcher := unpacked(t)
	for file, want := range map[string]string{
		"libcudart-d0da41ae.so.13": "calls it libcudart-d0da41ae.so.13; install PyPI's: pip install --force-reinstall --index-url https://pypi.org/simple torch==2.11.0",
		"libother.so":              "no libcudart.so.13, CUDA's runtime, beside ",
	} {
		dir := torch(t, "2", "11", "0")
		if err := os.Remove(filepath.Join(dir, "../nvidia/cu13/lib/libcudart.so.13")); err != nil {
			t.Fatal(err)
		}
		fill(t, dir, map[string]string{"lib/" + file: ""})
		out, err := run([]string{"LIBTORCH_DIR=" + dir}, launcher, "version")
		if err == nil || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: got %q, %v; want a failure and one line with %q", file, out, err, want)
		}
	}
}
