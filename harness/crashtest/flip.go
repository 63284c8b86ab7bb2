package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// read lists, for each scenario, files of pacia that the command reads again. A sweep does
// not read finished runs again.
var read = map[string][]string{
	"train":    {"run/*", "cache/*"},
	"replicas": {"run/*", "run/*/*", "cache/*"},
	"sweep":    {"out/*/*", "cache/*"},
	"pretrain": {"enc/*"},
	"prepare":  {"cache/*"},
	"predict":  {"run/best.ckpt"},
	"remember": {"run/mine.safetensors", "user-cache/pacia/*"},
	"recall":   {"run/mine.safetensors"},
	"shards":   {"ranked.csv.parts/*"},
	"export":   {"run/best.ckpt"},
}

// longestFlips is the largest number of changes in the folder of one stopped command.
const longestFlips = 12

// flip kills a command midway, changes a file that is read again, and repeats the command,
// which must fail with one line or leave the files of the reference. After a failure it
// restores the file and tries another change. It returns the number of changes.
func (h *harm) flip(r *reference, random *rand.Rand) (flips int, err error) {
	if read[r.name] == nil || r.calls == 0 {
		return 0, nil
	}
	dir, err := h.from(r)
	if err != nil {
		return 0, err
	}
	if _, err := h.traced(r.args, trial{Dir: dir, At: r.calls/4 + random.IntN(r.calls*3/4), Blow: kill}); err != nil {
		return 0, err
	}
	for flips < longestFlips {
		file, what, restore, err := damage(dir, read[r.name], random)
		if err != nil || file == "" {
			return flips, err
		}
		flips++
		o := h.attempt(dir, r.args)
		h.logf("%s: %s of %s: %d %s", r.name, what, file, o.Exit, o.brief())
		if err := o.sound(); err != nil {
			return flips, fmt.Errorf("%s of %s: %w", what, file, err)
		}
		if o.Exit == 0 {
			if err := h.asReference(r, dir); err != nil {
				return flips, fmt.Errorf("%s of %s, and it ended well: %w (%s)", what, file, err, o.brief())
			}
			return flips, os.RemoveAll(dir)
		}
		if err := restore(); err != nil {
			return flips, err
		}
	}
	if err := h.settle(r, dir); err != nil {
		return flips, fmt.Errorf("%d changes undone: %w", flips, err)
	}
	return flips, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// damage changes one of the files that pacia has written below dir. The function restore
// undoes the change.
func damage(dir string, patterns []string, random *rand.Rand) (file, what string, restore func() error, err error) {
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return "", "", nil, err
		}
		files = append(files, found...)
	}
	files = slices.DeleteFunc(files, func(name string) bool {
		info, err := os.Stat(name)
		return err != nil || !info.Mode().IsRegular() || info.Size() == 0 || strings.HasSuffix(name, ".tmp") || strings.Contains(name, "/logs/") ||
			strings.Contains(name, "/out/") && exists(filepath.Join(filepath.Dir(name), "summary.json"))
	})
	if len(files) == 0 {
		return "", "", nil, nil
	}
	path := files[random.IntN(len(files))]
	content, err := os.ReadFile(path)
	if err != nil {
		return "", "", nil, err
	}
	at := random.IntN(len(content))
	changed := bytes.Clone(content)
	if random.IntN(4) == 0 {
		changed, what = changed[:at], fmt.Sprintf("cut at %d", at)
	} else {
		bit := random.IntN(8)
		changed[at] ^= 1 << bit
		what = fmt.Sprintf("bit %d of byte %d", bit, at)
	}
	name, err := filepath.Rel(dir, path)
	if err != nil {
		return "", "", nil, err
	}
	return name, what, func() error { return os.WriteFile(path, content, 0o666) }, os.WriteFile(path, changed, 0o666)
}
