package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// grid reads settings with lists of values. Every combination is a point; the last setting
// varies fastest.
func grid(n *yaml.Node) ([][]assignment, error) {
	points := [][]assignment{nil}
	err := entries(n, func(key, value *yaml.Node) error {
		values, err := scalars(value)
		if err != nil {
			return err
		}
		if len(points)*len(values) > maxRuns {
			return wrong(key, "vary less", "the grid has more than %d points", maxRuns)
		}
		var next [][]assignment
		for _, p := range points {
			for _, v := range values {
				next = append(next, append(slices.Clone(p), assignment{key.Value, v, key.Line}))
			}
		}
		points = next
		return nil
	})
	return points, err
}

// list reads one group of settings for each point. The key "name" is the name of the point.
func list(n *yaml.Node) (points [][]assignment, names []string, err error) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		return nil, nil, wrong(n, "write - {setting: value} for each", "no list of settings")
	}
	for _, item := range n.Content {
		all, err := assignments(item)
		if err != nil {
			return nil, nil, err
		}
		name := ""
		if i := slices.IndexFunc(all, func(a assignment) bool { return a.name == "name" }); i >= 0 {
			name = all[i].value
			all = slices.Delete(all, i, i+1)
		}
		points, names = append(points, all), append(names, name)
	}
	return points, names, nil
}

// A choice is the list or the range of values from which a random sample draws one setting.
type choice struct {
	name     string
	row      int
	values   []string
	from, to float64
	log      bool // uniform on a logarithmic scale
	whole    bool // both bounds are whole numbers
}

// random reads the number of points to draw, the seed, and the values to draw from. A draw
// depends only on the seed, the setting and the draw's number: more runs or more settings do
// not change earlier draws.
func random(n *yaml.Node) ([][]assignment, error) {
	runs, seed := 0, uint64(0)
	var choices []choice
	err := entries(n, func(key, value *yaml.Node) (err error) {
		switch key.Value {
		case "runs":
			runs, err = number(value)
		case "seed":
			if seed, err = strconv.ParseUint(value.Value, 10, 64); err != nil {
				return wrong(value, "write a whole number, 0 or more", "%s is not a seed", badinput.Quote(value.Value))
			}
		case "settings":
			err = entries(value, func(key, value *yaml.Node) error {
				c, err := readChoice(key, value)
				choices = append(choices, c)
				return err
			})
		default:
			return wrong(key, "write runs, seed and settings", "a random sample has no %s", badinput.Quote(key.Value))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if runs == 0 || len(choices) == 0 {
		return nil, wrong(n, "write runs: COUNT and settings: {NAME: [values] or {from: A, to: B}}", "a random sample of nothing")
	}
	return drawPoints(n, runs, seed, choices)
}

func drawPoints(n *yaml.Node, runs int, seed uint64, choices []choice) ([][]assignment, error) {
	var points [][]assignment
	seen := map[string]bool{}
	for number := range uint64(100 * runs) { // enough, unless there are hardly that many different points
		point := each.Of(choices, func(c choice) assignment { return assignment{c.name, c.draw(seed, number), c.row} })
		if id := fmt.Sprint(point); !seen[id] {
			seen[id] = true
			points = append(points, point)
		}
		if len(points) == runs {
			return points, nil
		}
	}
	return nil, wrong(n, fmt.Sprintf("write runs: %d, or a grid", len(points)), "there are hardly %d different samples", runs)
}

func readChoice(key, n *yaml.Node) (choice, error) {
	c := choice{name: key.Value, row: key.Line}
	if n.Kind == yaml.SequenceNode {
		var err error
		c.values, err = scalars(n)
		return c, err
	}
	bounds := map[string]*float64{"from": &c.from, "to": &c.to}
	c.whole = true
	found := 0
	err := entries(n, func(key, value *yaml.Node) (err error) {
		if bound, ok := bounds[key.Value]; ok {
			found++
			if *bound, err = strconv.ParseFloat(value.Value, 64); err != nil || math.IsNaN(*bound) || math.IsInf(*bound, 0) {
				return wrong(value, "write a number", "%s is not a bound", badinput.Quote(value.Value))
			}
			_, err = strconv.Atoi(value.Value)
			c.whole = c.whole && err == nil && math.Abs(*bound) <= exact
			return nil
		}
		if key.Value != "scale" || (value.Value != "log" && value.Value != "linear") {
			return wrong(key, "write from, to and scale: log or linear", "a range has no %s: %s", key.Value, value.Value)
		}
		c.log = value.Value == "log"
		return nil
	})
	if err == nil && (found < 2 || c.from >= c.to || (c.log && c.from <= 0)) {
		err = wrong(key, "write {from: A, to: B} with A below B, both above 0 where the scale is log", "the range of %s is empty", c.name)
	}
	return c, err
}

// exact is the limit below which float64 represents all whole numbers.
const exact = 1 << 53

func (c choice) draw(seed, number uint64) string {
	r := data.Rand(seed, "sweep of "+c.name, number)
	if c.values != nil {
		return c.values[r.IntN(len(c.values))]
	}
	u := r.Float64()
	v := c.from + u*(c.to-c.from)
	if c.log {
		v = math.Exp(math.Log(c.from) + u*(math.Log(c.to)-math.Log(c.from)))
	}
	switch {
	case c.whole && c.log:
		return strconv.Itoa(int(math.Round(v)))
	case c.whole:
		return strconv.Itoa(int(c.from) + r.IntN(int(c.to-c.from)+1)) // both ends are as likely as the rest
	}
	// The rounded value is in the name and is the one to train with, and it must be in the range.
	v = min(max(v, c.from), c.to)
	for digits := 3; digits < 17; digits++ {
		text := strconv.FormatFloat(v, 'g', digits, 64)
		if shown, err := strconv.ParseFloat(text, 64); err == nil && shown >= c.from && shown <= c.to {
			return text
		}
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
