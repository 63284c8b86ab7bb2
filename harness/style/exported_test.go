package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestExportedFunctions checks that every exported function is used in another package, or in a
// test outside its package.
func TestExportedFunctions(t *testing.T) {
	type function struct{ folder, name string }
	var exported []function
	named := map[string]map[string]bool{} // folders of the files that contain a name
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(moduleRoot(t), file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Dir(file)
		if strings.HasSuffix(parsed.Name.Name, "_test") {
			folder += "_test" // counts as another package
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() && parsed.Name.Name != "main" && !strings.HasSuffix(file, "_test.go") {
				exported = append(exported, function{folder, f.Name.Name})
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.IsExported() {
				if named[id.Name] == nil {
					named[id.Name] = map[string]bool{}
				}
				named[id.Name][folder] = true
			}
			return true
		})
	}
	for _, f := range exported {
		if len(named[f.name]) == 1 {
			t.Errorf("%s: no other package names %s; begin it with a small letter, or remove it", f.folder, f.name)
		}
	}
}
