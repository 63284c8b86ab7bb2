// Package golden reads, for tests, results that published code computed. They are gzipped JSON,
// with parameters whose values are computed from their numbers.
package golden

import (
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// Path returns the value of an environment variable, or the argument otherwise if it is empty.
func Path(variable, otherwise string) string {
	if path := os.Getenv(variable); path != "" {
		return path
	}
	return otherwise
}

// Decode reads the gzipped JSON of a file into v.
func Decode(t testing.TB, path string, v any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.NewDecoder(z).Decode(v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// Parameter is a parameter of a published model, with the rule for its values.
type Parameter struct {
	K     uint64  `json:"k"`
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
	Rule  string  `json:"rule"`
}

// Values returns the fixture's pseudo-random values of the parameter, row-major.
func (p Parameter) Values(t testing.TB) []float64 {
	t.Helper()
	n, fan := int64(1), int64(1)
	for i, s := range p.Shape {
		n *= s
		if i > 0 {
			fan *= s
		}
	}
	rule := rules[p.Rule]
	if rule == nil {
		t.Fatalf("parameter %s: rule %q is not known", p.Name, p.Rule)
	}
	v := make([]float64, n)
	for i := range v {
		v[i] = rule(2*float64(splitmix64(p.K<<32+uint64(i))>>11)/(1<<53)-1, float64(fan))
	}
	return v
}

// Known reports whether [Parameter.Values] has the parameter's rule.
func (p Parameter) Known() bool { return rules[p.Rule] != nil }

// rules compute a value from u, which is uniform in [−1, 1).
var rules = map[string]func(u, fan float64) float64{
	"0.1u":             func(u, _ float64) float64 { return 0.1 * u },
	"0.5u":             func(u, _ float64) float64 { return 0.5 * u },
	"0.5+0.1u":         func(u, _ float64) float64 { return 0.5 + 0.1*u },
	"1+0.1u":           func(u, _ float64) float64 { return 1 + 0.1*u },
	"u*sqrt(2/fan_in)": func(u, fan float64) float64 { return u * math.Sqrt(2/fan) },
}

func splitmix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
