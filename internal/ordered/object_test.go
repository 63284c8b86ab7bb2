package ordered

import (
	"encoding/json"
	"testing"
)

func TestObject(t *testing.T) {
	for want, o := range map[string]Object{
		`{}`: nil,
		`{"b":1,"a\"":null,"c":{"z":"x","y":[2]}}`: {{"b", 1}, {`a"`, nil}, {"c", Object{{"z", "x"}, {"y", []int{2}}}}},
	} {
		if text, err := json.Marshal(o); err != nil || string(text) != want {
			t.Errorf("%s (%v), want %s", text, err, want)
		}
	}
	if text, err := json.Marshal(Object{{"a", func() {}}}); err == nil {
		t.Errorf("a function is %s", text)
	}
}
