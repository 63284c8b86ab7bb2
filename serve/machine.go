package serve

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// machineMemory returns the memory that this process may use, in bytes: that of the machine, or less by the limits of its
// control groups or of its address space.
func machineMemory() int64 {
	least := int64(math.MaxInt64)
	limit := func(n uint64) {
		if n > 0 && n < uint64(least) {
			least = int64(n)
		}
	}
	var machine unix.Sysinfo_t
	if unix.Sysinfo(&machine) == nil {
		limit(uint64(machine.Totalram) * uint64(machine.Unit))
	}
	var space unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &space) == nil {
		limit(space.Cur)
	}
	groups, _ := os.ReadFile("/proc/self/cgroup") // without it there are none
	for line := range strings.Lines(string(groups)) {
		kind, path := "", ""
		if parts := strings.SplitN(strings.TrimSpace(line), ":", 3); len(parts) == 3 {
			kind, path = parts[1], parts[2]
		}
		file := "memory.max"
		if kind == "memory" { // the first version of control groups
			file = "memory.limit_in_bytes"
		} else if kind != "" {
			continue
		}
		for folder := path; ; folder = filepath.Dir(folder) {
			text, _ := os.ReadFile(filepath.Join("/sys/fs/cgroup", kind, folder, file))
			n, _ := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64) // 0 of "max", and without the file
			limit(n)
			if len(folder) < 2 {
				break
			}
		}
	}
	return cmp.Or(least, math.MaxInt64)
}
