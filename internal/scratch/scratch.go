// Package scratch manages a folder for a process's temporary files that need names, such as those
// of libraries. The folder is locked while its process runs. The next process removes folders
// of killed ones.
package scratch

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

const (
	prefix   = "pacia-scratch-"
	attempts = 20 // to remove the folder
)

var (
	mu     sync.Mutex
	folder *os.File // open and locked; nil before the first use
)

// Folder returns the folder of this process. It makes the folder if there is none.
func Folder() (string, error) {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		return folder.Name(), nil
	}
	removeLeft()
	for {
		dir, err := os.MkdirTemp("", prefix)
		if err != nil {
			return "", err
		}
		f, err := os.Open(dir)
		if err == nil && locks(f) {
			if _, err := os.Stat(dir); err == nil {
				folder = f
				return dir, nil
			}
		}
		if f != nil { // another process removed it as a leftover before it was locked
			_ = f.Close()
		}
	}
}

// Remove removes the folder and its content. Folder makes a new one.
func Remove() {
	mu.Lock()
	defer mu.Unlock()
	if folder != nil {
		for range attempts { // while another goroutine still writes to it; in the end, the next process removes it
			if os.RemoveAll(folder.Name()) == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		_ = folder.Close()
		folder = nil
	}
}

// removeLeft removes the folders of this user's killed processes.
func removeLeft() {
	left, _ := fs.Glob(os.DirFS(os.TempDir()), prefix+"*") // the pattern is well formed
	for _, name := range left {
		dir := filepath.Join(os.TempDir(), name)
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || info.Sys().(*syscall.Stat_t).Uid != uint32(os.Geteuid()) {
			continue
		}
		if f, err := os.Open(dir); err == nil {
			if locks(f) {
				_ = os.RemoveAll(dir) // otherwise the next process tries again
			}
			_ = f.Close()
		}
	}
}

func locks(f *os.File) bool {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
