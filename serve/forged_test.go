package serve_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"pacia/examples"
	"pacia/harness/bounded"
)

// withReasons are the fields of the rankings whose results are forged.
var withReasons = []field{{name: "reasons", value: "3"}, {name: "diverse", value: "3"},
	{name: "columns", value: "properties"}, {name: "group", value: "scaffold"}}

// unreadableToo is a library in which one molecule cannot be read.
var unreadableToo = strings.Join(strings.SplitAfter(examples.Library, "\n")[:20], "") + "C(C,none\n"

// savedBy returns saved results of a server.
func savedBy(t testing.TB, url string) []byte {
	t.Helper()
	j := jobOf(t, url, nil)
	return []byte(body(t, send(t, http.MethodGet, j+"/results.zip")))
}

// jobOf sends a ranking, with saved results or without, and returns the address of its job once it is over.
func jobOf(t testing.TB, url string, results []byte) string {
	t.Helper()
	fields := append(withReasons, field{name: "wait", value: "false"},
		field{"support", "support.csv", examples.Support}, field{"library", "library.csv", unreadableToo})
	if results != nil {
		fields = append(fields, field{"results", "results.zip", string(results)})
	}
	r := post(t, url+"/v1/rank", fields...)
	if r.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %.300s", r.Status, body(t, r))
	}
	job := url + r.Header.Get("Location")
	for range 6000 {
		if state := decode(t, send(t, http.MethodGet, job)).State; state == "done" || state == "failed" {
			return job
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatal("the job does not end")
	return ""
}

// open opens forged results and asks for all that a server makes of them. No answer may be cut off, and none may be an
// internal error.
func open(t *testing.T, url string, results []byte) (opened bool) {
	t.Helper()
	bounded.Do(t, func() {
		job := jobOf(t, url, results)
		a := decode(t, send(t, http.MethodGet, job))
		if opened = a.State == "done"; !opened && (a.Error == nil || !strings.Contains(a.Error.Message, "the saved results cannot be used: ")) {
			t.Errorf("the job is %+v", a)
		}
		for _, path := range []string{"/rows?limit=500", "/rows?sort=qed&order=desc&groups=first", "/ranked.csv", "/ranked.xlsx", "/ranked.sdf",
			"/unread.csv", "/results.zip", "/report.html"} {
			if !opened {
				break
			}
			if r := send(t, http.MethodGet, job+path); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %s, %.300s", path, r.Status, body(t, r))
			}
		}
		send(t, http.MethodDelete, job)
	})
	return opened
}

// TestForgeries: whatever saved results with right checksums hold, they are opened or refused in one line.
func TestForgeries(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	n := 40
	if os.Getenv("PACIA_FUZZ") != "" {
		n = 2000
	}
	url := startWith(t, bare, nil)
	whole := savedBy(t, url)
	if !open(t, url, whole) {
		t.Fatal("whole results are not opened")
	}
	p, number := partsOf(t, whole), 0
	for seed := range uint64(n) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			if open(t, url, p.forged(t, rand.New(rand.NewPCG(seed, 60)).IntN)) {
				number++
			}
		})
	}
	t.Logf("%d of %d forgeries were opened", number, n)
	if number == n {
		t.Error("no forgery was refused")
	}
}

// FuzzForgeries is TestForgeries with chances from a text.
func FuzzForgeries(f *testing.F) {
	for seed := range uint64(8) {
		random, text := rand.New(rand.NewPCG(seed, 61)), make([]byte, 24)
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		f.Add(text)
	}
	if testing.Short() {
		f.Skip("takes seconds")
	}
	url := startWith(f, bare, nil)
	p := partsOf(f, savedBy(f, url))
	f.Fuzz(func(t *testing.T, text []byte) {
		from := strings.NewReader(string(text))
		open(t, url, p.forged(t, func(n int) int {
			b, err := from.ReadByte()
			if errors.Is(err, io.EOF) {
				return 0
			}
			return int(b) % n
		}))
	})
}
