package label

import (
	"testing"

	"pacia/internal/badinput"
)

func TestSettingsOfSeveralColumns(t *testing.T) {
	by, err := Settings{Columns: "A; B;C", Below: "1 uM;;", Above: ";50;"}.Parse()
	if err != nil || len(by.Columns) != 3 || by.Rule(0).String() != "below 1 uM" || by.Rule(1).String() != "above 50" || by.Rule(2) != nil {
		t.Errorf("%+v (%v)", by, err)
	}
	by, err = Settings{Below: "1", Units: "uM", Decimal: ","}.Parse()
	if err != nil || by.Rule(7).String() != "below 1 uM" || by.Decimal != ',' || !by.Measured() {
		t.Errorf("%+v (%v)", by, err)
	}
	by, err = Settings{Columns: "A;B", Below: "1;", Units: "uM"}.Parse()
	if err != nil || by.Rule(0).String() != "below 1 uM" || by.Rule(1) != nil {
		t.Errorf("%+v (%v)", by, err)
	}
	if by, err = (Settings{}).Parse(); err != nil || by.Measured() || by.Rule(0) != nil {
		t.Errorf("%+v (%v)", by, err)
	}
	for _, tt := range []struct {
		settings Settings
		want     string
	}{
		{Settings{Columns: "A;B", Below: "1;2;3"}, "--active-below has 3 values for 2 columns of --label; write one for all, or one for each with ; between them, empty for a column that has none"},
		{Settings{Columns: "A;A"}, `--label "A;A" has a column without a name, or one twice; write names with ; between them`},
		{Settings{Columns: "A;B", Below: "1;", Above: "2"}, "--active-below and --active-above exclude each other; write one of them"},
		{Settings{Columns: "A;B", Below: ";", Units: "uM"}, "--unit is that of a threshold; also write --active-below or --active-above"},
		{Settings{Decimal: "x"}, `--decimal "x" is not known; write . or ,`},
	} {
		if _, err := tt.settings.Parse(); !badinput.Is(err) || err.Error() != tt.want {
			t.Errorf("%+v: %v, want %s", tt.settings, err, tt.want)
		}
	}
}
