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

// layers lists the folders of the root with Go packages. Each may import only those after
// it (ARCHITECTURE.md).
var layers = []string{"harness", "cmd", "serve", "sweep", "report", "train", "pretrain", "screen", "evaluate", "config", "weights", "run",
	"model", "gnn", "ops", "cuda", "data", "metrics", "examples", "internal"}

// TestArrows checks that packages import in one direction, that only config imports viper,
// that only tests import harness, and that only the table of methods and a method itself import a method's package.
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

// arrow returns the reason why a file must not import a path, or "".
func arrow(file, path string) string {
	from, _, _ := strings.Cut(file, "/")
	below, ours := strings.CutPrefix(path, "pacia/")
	if !ours {
		if strings.HasSuffix(path, "/viper") && from != "config" {
			return "only config imports viper"
		}
		return ""
	}
	to, _, _ := strings.Cut(below, "/")
	a, b := slices.Index(layers, from), slices.Index(layers, to)
	switch {
	case a < 0:
		return from + " is not in the list layers of arrows_test.go"
	case to == "harness" && from != "harness":
		return "only tests import harness"
	case b < a:
		return to + " must not be imported from below"
	case isEncoder(below) && from != "gnn" && from != "harness":
		return "import gnn/encoders in place of an encoder"
	case isMethod(below) && from != "cmd" && from != "model" && from != "harness":
		return "import model/methods in place of a method"
	}
	return ""
}

// isMethod reports whether a package, by its path below the module, is that of a method.
func isMethod(below string) bool {
	name, ok := strings.CutPrefix(below, "model/")
	return ok && !strings.HasPrefix(name, "shared") && name != "methods"
}

// isEncoder reports whether a package, by its path below the module, is that of an encoder.
func isEncoder(below string) bool {
	name, ok := strings.CutPrefix(below, "gnn/")
	return ok && !slices.Contains([]string{"encoders", "params", "minimol"}, name)
}

// TestArrowsAreNoticed checks that arrow refuses wrong imports.
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
		{"ops/scope.go", "pacia/harness/flip", true},
		{"harness/modeltest/model.go", "pacia/harness/golden", false},
		{"attic/old.go", "pacia/data", true},
	} {
		if got := arrow(c.file, c.path); (got != "") != c.refused {
			t.Errorf("%s imports %s: %q, want refused: %v", c.file, c.path, got, c.refused)
		}
	}
}
