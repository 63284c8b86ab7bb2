package style

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPackagesThatOnlyPassOn finds packages whose exported functions and methods only call
// another package. Such a package is a second name for the other one.
func TestPackagesThatOnlyPassOn(t *testing.T) {
	folders := map[string][]*ast.File{}
	for _, file := range tracked(t) {
		if filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(moduleRoot(t), file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		folders[filepath.Dir(file)] = append(folders[filepath.Dir(file)], parsed)
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		if to := passesOnTo(folders[folder]); len(to) > 0 {
			t.Errorf("%s only calls %s: import that where it is used, and remove %s; or move here what decides something",
				folder, strings.Join(to, " and "), folder)
		}
	}
}

// passesOnTo lists the packages that the exported functions of a package call, if each function
// is only one such call. Otherwise it returns nil.
func passesOnTo(files []*ast.File) (to []string) {
	for _, file := range files {
		imported := importsOf(file)
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Body == nil || file.Name.Name == "main" {
				continue
			}
			callee := calledAlone(f.Body, imported)
			if callee == "" {
				return nil
			}
			if !slices.Contains(to, callee) {
				to = append(to, callee)
			}
		}
	}
	return to
}

// calledAlone returns the package of the function that is called, if the body is only that call,
// or "".
func calledAlone(body *ast.BlockStmt, imported map[string]string) string {
	if len(body.List) != 1 {
		return ""
	}
	var e ast.Expr
	switch s := body.List[0].(type) {
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			e = s.Results[0]
		}
	case *ast.ExprStmt:
		e = s.X
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || slices.ContainsFunc(call.Args, worked) {
		return ""
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); ok {
		if of, ok := f.X.(*ast.Ident); ok {
			return imported[of.Name]
		}
	}
	return ""
}

// worked reports whether an argument is not a variable, a field or a constant.
func worked(arg ast.Expr) bool {
	switch arg.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.BasicLit:
		return false
	}
	return true
}

// importsOf returns the paths of a file's imports of this module, by their names in the file.
func importsOf(file *ast.File) map[string]string {
	imported := map[string]string{}
	for _, i := range file.Imports {
		full, err := strconv.Unquote(i.Path.Value)
		if err != nil || !strings.HasPrefix(full, "pacia/") {
			continue
		}
		name := path.Base(full)
		if i.Name != nil {
			name = i.Name.Name
		}
		imported[name] = full
	}
	return imported
}

// TestPassingOnIsNoticed checks that passesOnTo finds such packages.
func TestPassingOnIsNoticed(t *testing.T) {
	const head = "package p\nimport \"pacia/q\"\n"
	for text, want := range map[string]string{
		"func F(x int) int { return q.F(x) }\nfunc G() { q.G() }":            "pacia/q",
		"func F(x int) int { return q.F(x, 3) }\nfunc g() int { return 1 }":  "pacia/q",
		"func F(x int) int { return q.F(x + 1) }":                            "",
		"func F(x int) int { return q.F(x) }\nfunc G(x int) int { return x}": "",
		"type T int\nfunc f() { q.F() }":                                     "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", head+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(passesOnTo([]*ast.File{file}), " "); got != want {
			t.Errorf("%s\npasses on to %q, want %q", text, got, want)
		}
	}
}
