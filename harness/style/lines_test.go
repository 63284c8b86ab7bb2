package style

import (
	"cmp"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A longLine is a line with more than longestLine characters.
type longLine struct {
	file   string
	number int
	since  int64 // time of its commit; the largest number if it is not committed
}

// TestLines limits the number of long lines. Rows of tables, tags of structs, and the flags of cgo, which each family of
// operations repeats, do not count. It names the newest lines, as many as there are too many.
func TestLines(t *testing.T) {
	const most = 842 // mostly lists of arguments; it must not grow
	var long []longLine
	for _, file := range tracked(t) {
		switch filepath.Ext(file) {
		case ".go", ".cc", ".hh", ".h", ".cu", ".cuh", ".md":
		default:
			continue
		}
		n := 0
		for line := range strings.Lines(read(t, filepath.Join(moduleRoot(t), file))) {
			n++
			if len([]rune(line)) > longestLine+1 && !strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "// #cgo ") && !strings.Contains(line, "`") {
				long = append(long, longLine{file: file, number: n})
			}
		}
	}
	if len(long) <= most {
		return
	}
	for i, l := range long {
		long[i].since = since(t, l)
	}
	slices.SortStableFunc(long, func(a, b longLine) int { return cmp.Compare(b.since, a.since) })
	var named []string
	for _, l := range long[:len(long)-most] {
		named = append(named, fmt.Sprintf("%s:%d", l.file, l.number))
	}
	t.Errorf("%d lines have more than %d characters, %d before; break them at a comma or a phrase. The newest are\n%s",
		len(long), longestLine, most, strings.Join(named, "\n"))
}

var committed = regexp.MustCompile(`(?m)^committer-time (\d+)$`)

// since returns the time of a line's commit.
func since(t *testing.T, l longLine) int64 {
	t.Helper()
	at := fmt.Sprintf("%d,%d", l.number, l.number)
	blame := exec.Command("git", "blame", "--porcelain", "-L", at, "--", l.file)
	blame.Dir = moduleRoot(t)
	out, err := blame.Output()
	if m := committed.FindSubmatch(out); err == nil && m != nil && !strings.HasPrefix(string(out), "00000000") {
		seconds, _ := strconv.ParseInt(string(m[1]), 10, 64)
		return seconds
	}
	return math.MaxInt64 // git does not have the line
}
