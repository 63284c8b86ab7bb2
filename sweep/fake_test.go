package sweep_test

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/run/rundir"
)

// asTrain is an environment variable. It makes the test binary, started as a
// child of itself, stand in for pacia train.
const asTrain = "SWEEP_TEST_TRAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asTrain) != "" {
		os.Exit(fakeTrain(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// fakeTrain makes the episodes of its settings, 20 ms each, from where its folder
// says it is. A width of 13 is bad luck, one of 14 is killed.
func fakeTrain(args []string) int {
	flags := map[string]string{}
	for i, a := range args {
		if strings.HasPrefix(a, "--") && i+1 < len(args) {
			flags[a] = args[i+1]
		}
	}
	text, err := os.ReadFile(flags["--config"])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	settings, _ := rundir.Flatten(text)
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGTERM)
	dir := flags["--out"]
	_ = os.MkdirAll(dir, 0o777)
	_ = os.WriteFile(filepath.Join(dir, "config.yaml"), text, 0o600)
	metrics, err := os.OpenFile(filepath.Join(dir, "metrics.jsonl"), os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return 1
	}
	fmt.Printf("start with %s\n", strings.Join(args, " "))
	switch settings.Get("model.width") {
	case "13":
		fmt.Fprintln(os.Stderr, "a warning")
		fmt.Fprintln(os.Stderr, "pacia: episode 3: the loss is not a finite number")
		return 1
	case "14":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	episodes, _ := strconv.Atoi(settings.Get("train.episodes"))
	before, _ := os.ReadFile(metrics.Name())
	for e := strings.Count(string(before), "\n") + 1; e <= episodes; e++ {
		select {
		case <-asked:
			fmt.Fprintln(os.Stderr, "pacia: stopped")
			return 130
		case <-time.After(20 * time.Millisecond):
		}
		if _, err := fmt.Fprintf(metrics, `{"episode":%d,"auc_test":0.5}`+"\n", e); err != nil {
			return 1
		}
	}
	summary := fmt.Sprintf(`{"dataset":"embedded","seed":%s,"episodes":%d,"auc_last":0.75}`, settings.Get("seed"), episodes)
	_ = os.WriteFile(filepath.Join(dir, "summary.json"), []byte(summary), 0o600)
	return 0
}
