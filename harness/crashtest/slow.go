package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"
)

// fullerene is a molecule that takes long to read; sixteen of them take seconds.
const fullerene = "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11" +
	"c7c2c2c7c8c3c3c8c9c4c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41"

func slow() string {
	molecule := strings.Repeat(fullerene+".", 15) + fullerene
	return "smiles\n" + strings.Repeat(molecule+"\n", 200)
}

func columns(file int) string {
	names := make([]string, 7000)
	for i := range names {
		names[i] = fmt.Sprintf("c%dx%d", file, i)
	}
	return "smiles," + strings.Join(names, ",") + "\nCCO" + strings.Repeat(",", len(names)) + "\n"
}

// manyNames returns a request in JSON in which each row has a different name.
func manyNames() string {
	var b strings.Builder
	b.WriteString(`{"support": [{"smiles": "CCO", "active": true}, {"smiles": "CCN", "active": false}], "library": [`)
	for i := range 80_000 {
		fmt.Fprintf(&b, `{"k%d":1},`, i)
	}
	return b.String() + `{"smiles":"CCO"}]}`
}

// sorts requests a sorted table many times at once.
func (s *besieged) sorts() error {
	job, err := s.job("smiles,a\n" + strings.Repeat("CCCCO,3\nCCCN,1\nCCCCl,2\n", 8000))
	if err != nil {
		return err
	}
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		r, err := http.Get(job + "/rows?limit=1")
		if err != nil {
			return err
		}
		_ = r.Body.Close()
		if r.StatusCode == http.StatusOK {
			break
		}
		if time.Since(begun) > patience {
			return fmt.Errorf("its job does not end: %s", r.Status)
		}
	}
	before := s.peak()
	var wg sync.WaitGroup
	all := make([]error, 100)
	for i := range all {
		wg.Go(func() {
			r, err := http.Get(job + "/rows?sort=a")
			if err == nil {
				_, err = io.Copy(io.Discard, r.Body)
				_ = r.Body.Close()
			}
			all[i] = err
		})
	}
	wg.Wait()
	if grown := s.peak() - before; grown > 500 {
		all = append(all, fmt.Errorf("they take %d MB", grown))
	}
	return errors.Join(all...)
}

// cancelled deletes a job that would take half an hour.
func (s *besieged) cancelled() error {
	job, err := s.job(slow())
	if err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	r, err := http.NewRequest(http.MethodDelete, job, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// deserted starts two previews that would take minutes, and closes their connections.
func (s *besieged) deserted() error {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			defer cancel()
			if r, err := s.post(ctx, "/v1/read", []part{{"library", "l.csv", slow()}}); err == nil {
				_ = r.Body.Close()
			}
		})
	}
	wg.Wait()
	code, err := s.status("/v1/read", []part{{"library", "l.csv", "smiles\nCCO\n"}})
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("a preview afterwards is answered with %d", code)
	}
	return err
}

// leaves ends the server while a long job runs.
func (s *besieged) leaves() error {
	if _, err := s.job(slow()); err != nil {
		return err
	}
	time.Sleep(3 * time.Second)
	if err := s.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- s.command.Wait() }()
	select {
	case <-ended:
		return nil
	case <-time.After(soonEnough):
		return fmt.Errorf("the server still runs %v after SIGTERM", soonEnough)
	}
}
