package style

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms are the folders of the root with Go packages: each imports only those that stand
// after it (ARCHITECTURE.md).
var rooms = []string{"cmd", "serve", "sweep", "report", "train", "pretrain", "screen", "evaluate", "config", "weights", "run",
	"model", "gnn", "ops", "cuda", "data", "metrics", "examples", "internal"}

// TestArrows: rooms import in one direction, only config knows viper, and only the table
// of methods and a method itself name a method's package.
func TestArrows(t *testing.T) {
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") || !strings.Contains(file, "/") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(moduleRoot(t), file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range parsed.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if why := arrow(filepath.ToSlash(file), path); why != "" {
				t.Errorf("%s imports %s: %s", file, path, why)
			}
		}
	}
}

// arrow says why a file must not import a path, or nothing.
func arrow(file, path string) string {
	from, _, _ := strings.Cut(file, "/")
	below, ours := strings.CutPrefix(path, "pacia/")
	if !ours {
		if strings.HasSuffix(path, "/viper") && from != "config" {
			return "only config knows viper"
		}
		return ""
	}
	to, _, _ := strings.Cut(below, "/")
	a, b := slices.Index(rooms, from), slices.Index(rooms, to)
	switch {
	case a < 0:
		return from + " is not in the list of rooms in arrows_test.go"
	case b < a:
		return to + " must not be known below it"
	case isEncoder(below) && from != "gnn":
		return "an encoder is reached by gnn/encoders"
	case isMethod(below) && from != "cmd" && from != "model":
		return "a method is reached by model/methods"
	}
	return ""
}

// isMethod says whether a package below the module is that of a method.
func isMethod(below string) bool {
	name, ok := strings.CutPrefix(below, "model/")
	return ok && !strings.HasPrefix(name, "shared") && name != "methods" && name != "modeltest"
}

// isEncoder says whether a package below the module is that of an encoder.
func isEncoder(below string) bool {
	name, ok := strings.CutPrefix(below, "gnn/")
	return ok && !slices.Contains([]string{"encoders", "gnntest", "params", "minimol"}, name)
}

// TestArrowsAreNoticed: the rule refuses what it is there for.
func TestArrowsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		file, path string
		refused    bool
	}{
		{"train/run.go", "pacia/evaluate", false},
		{"evaluate/rank.go", "pacia/train", true},
		{"gnn/gin/gin.go", "pacia/gnn/params", false},
		{"model/body.go", "pacia/gnn/pna", true},
		{"model/body.go", "pacia/gnn/encoders", false},
		{"run/rundir/run.go", "github.com/spf13/viper", true},
		{"config/load.go", "github.com/spf13/viper", false},
		{"screen/ranker.go", "pacia/model/kernel", true},
		{"screen/ranker.go", "pacia/model/methods", false},
		{"model/single/single.go", "pacia/model/multitask", false},
		{"attic/old.go", "pacia/data", true},
	} {
		if got := arrow(c.file, c.path); (got != "") != c.refused {
			t.Errorf("%s imports %s: %q, want refused: %v", c.file, c.path, got, c.refused)
		}
	}
}
