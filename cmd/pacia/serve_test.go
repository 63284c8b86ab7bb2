package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/examples"
)

// TestServeAnswersAsPredictWrites checks that serve prints its address, that its table equals predict's
// byte for byte, and that SIGTERM ends it with exit code 0.
func TestServeAnswersAsPredictWrites(t *testing.T) {
	seconds(t)
	support, library := firstMolecules(examples.Support, 12), firstMolecules(examples.Library, 60)
	inFolder(t, "support.csv", support)
	put(t, "library.csv", library)
	put(t, "past.csv", pastOf(t, "support.csv", "library.csv"))
	put(t, "long.csv", "smiles,assay,series,pIC50\n"+measurements(library))
	predict := []string{"predict", "--support", "support.csv", "--candidates", "library.csv", "--out"}
	ok(t, append(predict, "0", "--prior", "0.1", "--diverse", "5")...)
	ok(t, append(predict, "1", "--history", "past.csv", "--history", "long.csv:assay; series = 1", "--specific")...)

	read, written := io.Pipe()
	ended := make(chan int, 1)
	var log bytes.Buffer
	go func() {
		ended <- run([]string{"serve", "--address", "127.0.0.1:0"}, strings.NewReader(""), written, &log)
		_ = written.Close() // so that the reader ends
	}()
	url, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	url = strings.TrimSpace(url)
	for i, fields := range [][][2]string{{{"prior", "0.1"}, {"diverse", "5"}},
		{{"history", "past.csv"}, {"history", "long.csv"}, {"history_reading", ";"}, {"history_reading", "assay; series = 1"},
			{"specific", "true"}}} {
		want, err := os.ReadFile(fmt.Sprint(i))
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, [2]string{"support", "support.csv"}, [2]string{"library", "library.csv"})
		if got := rankedAt(t, url, fields); got != string(want) {
			t.Errorf("%v: the table of serve\n%.600s\nis not that of predict\n%.600s", fields, got, want)
		}
	}
	scoresAtServer(t, url)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit code %d: %s", code, log.String())
		}
	case <-time.After(20 * time.Second):
		t.Error("SIGTERM has not ended it")
	}
}

// measurements returns measurements of molecules in two assays, each in two series that disagree.
func measurements(library string) string {
	var b strings.Builder
	for i, smiles := range strings.Fields(library)[1:] {
		for _, assay := range []int{0, 1} {
			fmt.Fprintf(&b, "%s,A%d,0,%d\n%s,A%d,1,%d\n", smiles, assay, i*(5+assay)%7, smiles, assay, i*(3+assay)%8)
		}
	}
	return b.String()
}

// rankedAt returns the table that a server ranks; fields with the name of a file in the folder send it.
func rankedAt(t *testing.T, url string, fields [][2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		text, err := os.ReadFile(f[1])
		if err == nil {
			err = addFile(w, f[0], f[1], string(text))
		} else {
			err = w.WriteField(f[0], f[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close() // into memory
	table, refused, err := post(t.Context(), url+"/v1/rank", w.FormDataContentType(), &b)
	if refused != nil || err != nil {
		t.Fatal(refused, err)
	}
	return string(table)
}

// scoresAtServer checks that pacia score with --server prints the same as without.
func scoresAtServer(t *testing.T, url string) {
	t.Helper()
	put(t, "support.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\nCCCN,0\n")
	for _, text := range []string{"CCCCN\n?\nCCCCO name\n\nCCOCC\n", "?\n?\n", "", "SMILES Name\nCCO a\n", "canonical_smiles\nCCO\n"} {
		_, want, _ := scored(t, text, "--support", "support.csv", "--prior", "2%")
		code, got, errs := scored(t, text, "--support", "support.csv", "--prior", "2%", "--server", url)
		if code != 0 || got != want {
			t.Errorf("%q: code %d, the server's answer is\n%s%swant\n%s", text, code, got, errs, want)
		}
	}
	put(t, "measured.csv", "smiles,IC50 (nM)\nCCO,10\nCCCO,20\nCCN,9000\nCCCN,>10000\n")
	put(t, "counter.csv", "smiles,active\nCCO,0\nCCCO,1\nCCN,0\nCCCN,1\n")
	put(t, "long.csv", "smiles,assay,series,pIC50\n"+measurements("smiles CCO CCCO CCN CCCN CCCCN CCCCO"))
	for _, args := range [][]string{
		{"--support", "measured.csv", "--potency", "IC50 (nM)"}, {"--support", "support.csv", "--against", "counter.csv"},
		{"--support", "support.csv", "--history", "long.csv:assay; series = 1"},
	} {
		for _, text := range []string{"CCCCN\n?\nCCCCO\n", "?\n"} {
			_, want, _ := scored(t, text, args...)
			if code, got, errs := scored(t, text, append(args, "--server", url)...); code != 0 || got != want {
				t.Errorf("%v of %q: code %d, the server's answer is\n%s%swant\n%s", args, text, code, got, errs, want)
			}
		}
	}
	put(t, "unlabelled.csv", "smiles\nCCO\n")
	for want, args := range map[string][]string{
		"the server at " + url + " refuses: ":           {"--support", "unlabelled.csv", "--server", url},
		"--method has no effect on a server":            {"--support", "support.csv", "--server", url, "--method", "gp"},
		`--server "127.0.0.1:1" is not an address`:      {"--support", "support.csv", "--server", "127.0.0.1:1"},
		"--server does not answer":                      {"--support", "support.csv", "--server", "http://127.0.0.1:1"},
		"answers 404 Not Found, and is not pacia serve": {"--support", "support.csv", "--server", url + "/elsewhere"},
	} {
		if code, _, errs := scored(t, "CCO\n", args...); code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %s; want %q", args, code, errs, want)
		}
	}
}

func TestServeFaults(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	used := l.Addr().String()
	for _, tt := range []struct{ flag, value, want string }{
		{"address", "here", `--address "here" is not an address with a port; write one such as 127.0.0.1:8417`},
		{"address", "127.0.0.1:99999", `--address "127.0.0.1:99999" is not an address with a port; write one such as 127.0.0.1:8417`},
		{"address", used, `--address "` + used + `" cannot be used: address already in use; write another address, or port 0 for any free port`},
		{"max-upload", "much", `--max-upload "much" is not a size; write one such as 64MB`},
		{"max-rows", "0", "--max-rows 0; write 1 or more"},
		{"jobs", "0", "--jobs 0; write 1 or more"},
		{"queue", "-1", "--queue -1; write 0 or more"},
		{"keep", "1ms", "--keep 1ms is too short; write a time such as 30m"},
	} {
		wantFault(t, "pacia: "+tt.want, "serve", "--"+tt.flag+"="+tt.value)
	}
	for text, want := range map[string]int64{"64MB": 64e6, "1g": 1e9, "10 MiB": 10e6, "5000": 5000, "1.5k": 1500} {
		if got, err := bytesOf("--memory", text); err != nil || got != want {
			t.Errorf("%s: %d (%v), want %d", text, got, err, want)
		}
	}
}
