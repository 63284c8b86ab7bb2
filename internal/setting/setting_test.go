package setting_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/internal/setting"
)

type settings struct {
	Seed    uint64  `yaml:"seed" doc:"of all that is drawn"`
	Layers  int     `yaml:"layers" doc:"of the encoder" range:"1 64"`
	Every   int     `yaml:"every" doc:"steps between saves" range:"0 inf" zero:"only after the last"`
	Queries int     `yaml:"queries" doc:"of a task" range:"1 65536" zero:"all others"`
	Threads int     `yaml:"threads" doc:"of libtorch" range:"0 1024" zero:"all cores"`
	Dropout float64 `yaml:"dropout" doc:"after each layer" range:"[0 1)"`
	Rate    float64 `yaml:"rate" doc:"of Adam" range:"(0 10]"`
	Clip    float64 `yaml:"clip" doc:"of the gradient" range:"0 1e9" zero:"no limit"`
	Readout string  `yaml:"readout" doc:"of the atoms" oneof:"mean sum max"`
	Jump    string  `yaml:"jump" doc:"of the layers" oneof:"last sum" zero:"no jump"`
	Path    string  `yaml:"path" doc:"of the data set" form:"the name of a file"`
	Cache   string  `yaml:"cache" doc:"folder of the store" zero:"none"`
	Share   bool    `yaml:"share" doc:"weights"`
	Hidden  int     `yaml:"-"`
	Group   group   `yaml:"group" doc:"a group"`
	inner   int
	common  `yaml:",inline"`
	Own     any  `yaml:",inline"`
	Absent  *own `yaml:",inline"`
	Unused  own  `yaml:"unused,omitempty"`
}

type group struct {
	Width int `yaml:"width" doc:"of the group" range:"1 8"`
}

type common struct {
	Method string `yaml:"method" doc:"of all"`
}

type own struct {
	Steps int `yaml:"steps" doc:"of one method" range:"1 9"`
}

func valid() *settings {
	return &settings{Seed: 1<<64 - 1, Layers: 5, Rate: 6.25e-7, Readout: "mean", Path: "a.csv", Group: group{2}, Own: &own{3}}
}

func TestListHasEveryLeafInOrder(t *testing.T) {
	want := []string{
		"x.seed=18446744073709551615: 0 or more",
		"x.layers=5: 1 to 64",
		"x.every=0: 0 (only after the last) or more",
		"x.queries=0: 1 to 65536 (0: all others)",
		"x.threads=0: 0 (all cores) to 1024",
		"x.dropout=0: 0 to below 1",
		"x.rate=6.25e-07: above 0, at most 10",
		"x.clip=0: 0 (no limit) to 1e9",
		"x.readout=mean: mean | sum | max",
		"x.jump=: last | sum (empty: no jump)",
		"x.path=a.csv: the name of a file",
		"x.cache=: ",
		"x.share=false: true | false",
		"x.group.width=2: 1 to 8",
		"x.method=: ",
		"x.steps=3: 1 to 9",
	}
	var got []string
	for _, s := range setting.List("x.", valid()) {
		got = append(got, s.Name+"="+s.Value+": "+s.Range)
		if s.Doc == "" {
			t.Errorf("%s has lost its doc", s.Name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(setting.List("", *valid())); n != len(want) {
		t.Errorf("a struct has %d settings, a pointer to it %d", n, len(want))
	}
}

func TestCheckNamesTheFirstFault(t *testing.T) {
	for _, tt := range []struct {
		change func(*settings)
		want   string
	}{
		{func(*settings) {}, ""},
		{func(s *settings) { s.Layers, s.Dropout = 70, 1 }, "x.layers: 70 is out of range; write 1 to 64"},
		{func(s *settings) { s.Every = -1 }, "x.every: -1 is out of range; write 0 (only after the last) or more"},
		{func(s *settings) { s.Queries = -1 }, "x.queries: -1 is out of range; write 1 to 65536 (0: all others)"},
		{func(s *settings) { s.Threads = 1025 }, "x.threads: 1025 is out of range; write 0 (all cores) to 1024"},
		{func(s *settings) { s.Dropout = 1 }, "x.dropout: 1 is out of range; write a number from 0 to below 1"},
		{func(s *settings) { s.Dropout = math.NaN() }, "x.dropout: NaN is out of range; write a number from 0 to below 1"},
		{func(s *settings) { s.Rate = 0 }, "x.rate: 0 is out of range; write a number above 0, at most 10"},
		{func(s *settings) { s.Rate = 10 }, ""},
		{func(s *settings) { s.Clip = -0.5 }, "x.clip: -0.5 is out of range; write a number from 0 (no limit) to 1e9"},
		{func(s *settings) { s.Readout = "" }, `x.readout: "" is not one of mean, sum, max`},
		{func(s *settings) { s.Jump = "max" }, `x.jump: "max" is not one of last, sum`},
		{func(s *settings) { s.Path = "" }, "x.path: is empty; write the name of a file"},
		{func(s *settings) { s.Hidden, s.inner = -1, -1 }, ""},
		{func(s *settings) { s.Group.Width = 9 }, "x.group.width: 9 is out of range; write 1 to 8"},
		{func(s *settings) { s.Own = &own{0} }, "x.steps: 0 is out of range; write 1 to 9"},
		{func(s *settings) { s.Own = nil }, ""},
	} {
		s := valid()
		tt.change(s)
		err := setting.Check("x.", s)
		if (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

func TestSetReadsText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"seed", "7", "7"},
		{"seed", "-1", `seed: "-1" is not a whole number, 0 or more`},
		{"layers", "2.5e1", "25"},
		{"layers", "2.5", `layers: "2.5" is not a whole number`},
		{"rate", "1e-3", "0.001"},
		{"rate", "NaN", `rate: "NaN" is not a number`},
		{"readout", "sum", "sum"},
		{"share", "true", "true"},
		{"share", "1", `share: "1" is not true or false`},
		{"group.width", "4", "4"},
		{"steps", "5", "5"},
	} {
		v := valid()
		if tt.name == "steps" {
			v.Own = own{3} // not a pointer
		}
		find := func() setting.Setting {
			all := setting.List("", v)
			return all[slices.IndexFunc(all, func(s setting.Setting) bool { return s.Name == tt.name })]
		}
		err := find().Set(v, tt.text)
		if err != nil {
			if err.Error() != tt.want {
				t.Errorf("%s=%s: %v, want %s", tt.name, tt.text, err, tt.want)
			}
		} else if got := find().Value; got != tt.want {
			t.Errorf("%s=%s: got %s, want %s", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestWrongTagsPanic(t *testing.T) {
	for name, v := range map[string]any{
		"one end": struct {
			A int `range:"1"`
		}{},
		"no numbers": struct {
			A int `range:"a b"`
		}{},
		"backwards": struct {
			A int `range:"2 1"`
		}{},
		"type": struct{ A []int }{},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			setting.List("", v)
		}()
	}
}
