package atomicfile

import (
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A temporary file or folder is named PATH.xxxxxxxx.tmp. The eight letters are a seal: 16 random bits, and 24 bits of
// a hash of them and of PATH's last element. So a name of the same form that somebody else chose, such as
// ranked.csv.20261128.tmp, is not taken for a leftover. A temporary file is also locked while it is written. The lock
// ends with its process: one that can be locked is a leftover. On file systems without locks, leftovers stay.
const (
	sealLength    = 8
	temporaryTail = ".tmp"
)

var sealLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func seal(base string, random [2]byte) string {
	sum := sha256.Sum256(append(append([]byte("pacia temporary\x00"), random[:]...), base...))
	return sealLetters.EncodeToString(append(random[:], sum[:3]...))
}

// newName returns a random name for a temporary file beside path.
func newName(path string) string {
	n := rand.Uint32()
	return path + "." + seal(filepath.Base(path), [2]byte{byte(n), byte(n >> 8)}) + temporaryTail
}

// TemporaryOf returns the name of the file or folder for which this program gave a temporary one its name. ok is
// false for names that it did not give. A name has no folders.
func TemporaryOf(name string) (of string, ok bool) {
	rest, is := strings.CutSuffix(name, temporaryTail)
	at := len(rest) - sealLength - 1
	if !is || at < 1 || rest[at] != '.' {
		return "", false
	}
	random, err := sealLetters.DecodeString(rest[at+1:])
	if err != nil || seal(rest[:at], [2]byte(random)) != rest[at+1:] {
		return "", false
	}
	return rest[:at], true
}

// made registers the temporary files and folders that this process has made and not yet renamed or removed.
var made register

type register struct {
	mu    sync.Mutex
	paths map[string]bool
}

func (r *register) add(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.paths == nil {
		r.paths = map[string]bool{}
	}
	r.paths[path] = true
}

func (r *register) drop(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.paths, path)
}

// Unfinished returns the temporary files and folders of this process. One that ends early has to remove them, and
// nothing else.
func Unfinished() []string {
	made.mu.Lock()
	defer made.mu.Unlock()
	return slices.Sorted(maps.Keys(made.paths))
}
