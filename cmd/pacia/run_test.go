package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"pacia/internal/badinput"
	"pacia/internal/version"
	"pacia/ops"
	"pacia/train"
)

func TestHelp(t *testing.T) {
	golden(t, "help", ok(t))
	golden(t, "help_train", ok(t, "train", "--help"))
	golden(t, "help_train", ok(t, "help", "train"))
	for _, command := range []string{"predict", "eval"} {
		if text := ok(t, command, "--help"); strings.Contains(text, `(default "smiles")`) || strings.Contains(text, "0.000000") {
			t.Errorf("pacia %s --help states a default that is not one, or not as it is written:\n%s", command, text)
		}
	}
}

func TestUsageFaultsOfferTheNearest(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"trian", `unknown command "pacia trian"; did you mean train?`},
		{"frobnicate", `unknown command "pacia frobnicate"; see pacia --help`},
		{"help trian", `unknown command "pacia trian"; did you mean train?`},
		{"help data prepar", `unknown command "pacia data prepar"; did you mean prepare?`},
		{"completion tcsh", `unknown command "pacia completion tcsh"; did you mean bash or fish or zsh?`},
		{"completion bash x", `pacia completion bash takes no argument "x"; see pacia completion bash --help`},
		{"train --preste x", "pacia train: unknown flag: --preste; the nearest known one is --preset"},
		{"train --set", "pacia train: flag needs an argument: --set"},
		{"train seed=1", `pacia train takes no argument "seed=1"; write --set seed=1`},
		{"train config.yaml", `pacia train takes no argument "config.yaml"; see pacia train --help`},
		{"train --preset tox21-5shot", `unknown preset "tox21-5shot"; the nearest known one is tox21-1shot; pacia config --list shows all`},
		{"train --set train.episode=1", "--set unknown setting train.episode; the nearest known one is train.episodes"},
		{"train --set train.episodes=some", `--set train.episodes: "some" is not a whole number`},
		{"train --preset tox21-10shot",
			"data.path is not set; write data.path=FOLDER/tox21.csv.gz: behind --set, below set: of a sweep, or as PACIA_DATA_PATH"},
		{"train --config none.yaml", "none.yaml: cannot read the settings: no such file or directory"},
		{"doctor --jsn", "pacia doctor: unknown flag: --jsn; the nearest known one is --json"},
		{"doctor --frobnicate", "pacia doctor: unknown flag: --frobnicate; see pacia doctor --help"},
		{"train --threads 1", "pacia train: unknown flag: --threads; write --set threads=VALUE"},
		{"train --learning-rate 1", "pacia train: unknown flag: --learning-rate; write --set train.learning_rate=VALUE"},
		{"predict --labels x", "pacia predict: unknown flag: --labels; the nearest known one is --label"},
		{"predict --explore 1", "pacia predict: unknown flag: --explore; see pacia predict --help"},
		{"config --preset tox21", `unknown preset "tox21"; the nearest known one is tox21-1shot; pacia config --list shows all`},
		{"config --preset nosuch", `unknown preset "nosuch"; pacia config --list shows all`},
		{"config --set unknown.key=1", "--set unknown setting unknown.key; pacia config --explain lists all"},
		{"eval best.ckpt", `pacia eval takes no argument "best.ckpt"; write --checkpoint best.ckpt`},
		{"serve runs/a/best.ckpt", `pacia serve takes no argument "runs/a/best.ckpt"; write --checkpoint runs/a/best.ckpt`},
	} {
		wantFault(t, "pacia: "+tt.want, strings.Fields(tt.args)...)
	}
}

// TestValuesOfFlags checks that a value of another type is described without the words of Go's packages.
func TestValuesOfFlags(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"predict --diverse 2.5", "--diverse 2.5 is not a whole number"},
		{"predict --top 99999999999999999999", "--top 99999999999999999999 is out of range"},
		{"predict --json=maybe", "--json maybe is not true or false"},
		{"predict --quiet=maybe", "--quiet maybe is not true or false"},
		{"predict --header x", `--header cannot be "x"; write a whole number, or none`},
		{"next --explore much", "--explore much is not a number"},
		{"eval --seed -1", "--seed -1 is not a whole number, 0 or more"},
		{"eval --sizes 16,x", "--sizes 16,x is not a list of whole numbers such as 4,64"},
		{"serve --keep long", "--keep long is not a time such as 30m"},
		{"pretrain a.csv --layers x", "--layers x is not a whole number"},
	} {
		wantFault(t, "pacia: "+tt.want, strings.Fields(tt.args)...)
	}
}

// The output is a settings file, which gives the same settings again.
func TestConfigPrintsASettingsFile(t *testing.T) {
	t.Chdir(t.TempDir())
	args := []string{"config", "--preset", "sider-1shot", "--set", "data.path=sider.csv"}
	first := ok(t, args...)
	for _, want := range []string{"split: sider", "shots: 1", "learning_rate: 0.0006", "episodes: 25000"} {
		if !strings.Contains(first, want) {
			t.Errorf("the settings lack %q:\n%s", want, first)
		}
	}
	put(t, "all.yaml", first)
	if second := ok(t, "config", "--config", "all.yaml"); second != first {
		t.Errorf("read again, the settings are\n%s\nbefore\n%s", second, first)
	}
}

func TestVersion(t *testing.T) {
	for _, args := range []string{"version", "--version"} {
		if out := ok(t, args); out != "pacia "+version.Release+"\n" {
			t.Errorf("pacia %s: %q", args, out)
		}
	}
}

func TestCompletionComesFromCobra(t *testing.T) {
	if out := ok(t, "completion", "bash"); !strings.Contains(out, "__start_pacia") {
		t.Error("pacia completion bash gives no completion for pacia")
	}
}

func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("disk full"), exitTrouble},
		{fmt.Errorf("reading: %w", badinput.Newf("bad")), exitBadInput},
		{fmt.Errorf("%w: saved", train.ErrStopped), exitInterrupted},
	} {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("exit code of %v is %d, want %d", tt.err, got, tt.want)
		}
	}
}

// TestAFullOutput checks that a command whose table cannot be written ends with one line.
func TestAFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"config", "--explain"}, {"version"}} {
		var stderr bytes.Buffer
		code := run(args, strings.NewReader(""), full, &stderr)
		if code != exitTrouble || !strings.Contains(stderr.String(), "no space left") || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v: %d, %q", args, code, stderr.String())
		}
	}
}

func TestPanicsEndInOneLine(t *testing.T) {
	broken := &cobra.Command{SilenceErrors: true, SilenceUsage: true, RunE: func(*cobra.Command, []string) error {
		panic("shapes do not fit")
	}}
	broken.SetArgs([]string{})
	var stderr bytes.Buffer
	err := guarded(broken, &stderr)
	if err == nil || !strings.HasPrefix(err.Error(), "internal error: shapes do not fit") {
		t.Errorf("the panic became %v", err)
	}
	if stderr.Len() > 0 {
		t.Errorf("a stack without PACIA_DEBUG: %s", stderr.String())
	}
	t.Setenv("PACIA_DEBUG", "1")
	if _ = guarded(broken, &stderr); !strings.Contains(stderr.String(), "run_test.go") {
		t.Errorf("PACIA_DEBUG=1 shows no stack: %q", stderr.String())
	}
}

func TestOnlyTheFirstLineOfAnErrorIsShown(t *testing.T) {
	err := errors.New("\nexpected a tensor\nException raised from …\nframe #0")
	if got := firstLine(err); got != "expected a tensor" {
		t.Errorf("got %q", got)
	}
}

func TestDeviceThatIsNotThere(t *testing.T) {
	for _, tt := range []struct {
		device string
		info   ops.BuildInfo
		want   string
	}{
		{"cuda", ops.BuildInfo{}, "device cuda: this pacia is linked against libtorch for CPU alone; build it with make build-gpu, or write device=cpu"},
		{"cuda:1", ops.BuildInfo{CUDA: "11.7"}, "device cuda:1: no CUDA device answers; see whether nvidia-smi finds one (the driver may be missing), or write device=cpu"},
		{"cuda:2", ops.BuildInfo{CUDA: "11.7", Devices: 2}, "device cuda:2: there are only 2, counted from 0; write cuda:0 to cuda:1"},
	} {
		err := missing(tt.device, tt.info)
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("%s, %+v:\n got %v\nwant %s", tt.device, tt.info, err, tt.want)
		}
	}
	if err := missing("cuda:1", ops.BuildInfo{CUDA: "11.7", Devices: 2}); err != nil {
		t.Errorf("cuda:1 of two: %v", err)
	}
	if err := checkDevice("cpu"); err != nil {
		t.Errorf("cpu: %v", err)
	}
}

func TestDoctorIsWellWhereTheTestsRun(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var d diagnosis
	if err := json.Unmarshal([]byte(ok(t, "doctor", "--json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Torch == "" || d.RDKit == "" || d.Threads < 1 || d.Cores < 1 || len(d.Wrong) > 0 {
		t.Errorf("the doctor found %+v", d)
	}
	text := ok(t, "doctor")
	for _, want := range []string{d.Torch, d.RDKit, d.Cache, "wrong        nothing"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

func TestDoctorFindsACacheThatCannotBeWritten(t *testing.T) {
	inFolder(t, "file", "")
	file, err := filepath.Abs("file")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file) // a file in place of the folder
	r := pacia("doctor")
	if r.code != exitTrouble || !strings.Contains(r.out, "wrong        the graph store's folder: ") || r.err != "pacia: 1 thing wrong\n" {
		t.Errorf("exit code %d, standard error %q, standard output\n%s", r.code, r.err, r.out)
	}
}
