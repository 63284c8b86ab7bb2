package metrics

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestMembers: each metric is a member, in the place that the tags give it. What was not measured is left out, or
// null if only the first metric has it so.
func TestMembers(t *testing.T) {
	type inner struct {
		Last   Values `json:"auc_last,omitempty" further:"*_last"`
		Chosen Values `json:"auc_chosen" further:"*_chosen"`
		Errors Values `json:"-" further:"*_error"`
		Note   string `json:"note" further:"behind"`
		End    int    `json:"end"`
	}
	type outer struct {
		Folder string `json:"folder"`
		inner
	}
	for _, tt := range []struct {
		v    outer
		want string
	}{
		{outer{"a", inner{Values{0.5, 0.25}, Values{0, -1}, Values{0, 0.125}, "b", 3}},
			`{"folder":"a","auc_last":0.5,"auc_chosen":0,"note":"b",` +
				`"delta_auprc_last":0.25,"delta_auprc_chosen":-1,"delta_auprc_error":0.125,"end":3}`},
		{outer{inner: inner{Last: Values{0.5}}}, `{"folder":"","auc_last":0.5,"auc_chosen":null,"note":"","end":0}`},
	} {
		text, err := MarshalMembers(tt.v)
		if err != nil || string(text) != tt.want {
			t.Errorf("got  %s (%v)\nwant %s", text, err, tt.want)
		}
		var back outer
		if err := UnmarshalMembers(text, &back); err != nil || !reflect.DeepEqual(back, tt.v) {
			t.Errorf("got %+v (%v), want %+v", back, err, tt.v)
		}
	}
	// Earlier versions left out a ROC-AUC of 0.
	before := outer{Folder: "stays"}
	if err := UnmarshalMembers([]byte(`{"delta_auprc_last":-0.5}`), &before); err != nil || before.Folder != "stays" ||
		!reflect.DeepEqual(before.Last, Values{0, -0.5}) {
		t.Errorf("got %+v (%v)", before, err)
	}
}

// TestValues: an object has a member for each metric, and null is nil.
func TestValues(t *testing.T) {
	text, err := json.Marshal(struct{ Own, Foreign Values }{Own: Values{0.75, 0.5}})
	if want := `{"Own":{"auc":0.75,"delta_auprc":0.5},"Foreign":{"auc":null}}`; err != nil || string(text) != want {
		t.Errorf("got %s (%v), want %s", text, err, want)
	}
	var back struct{ Own, Foreign Values }
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Own, Values{0.75, 0.5}) || back.Foreign != nil {
		t.Errorf("got %+v (%v)", back, err)
	}
	if f := back.Own.Find(NameDeltaAUPRC); f == nil || *f != 0.5 || back.Foreign.Find("") != nil {
		t.Error("Find returns another value")
	}
}
