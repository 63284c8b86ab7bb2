package runconfig

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"pacia/data/label"
	"pacia/data/source"
	"pacia/data/table"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
)

// Config holds everything that a training run depends on. It is written to
// DIR/config.yaml and to every checkpoint, and compared when a run is resumed.
type Config struct {
	Seed      uint64       `yaml:"seed" doc:"seed of all random draws"`
	Threads   int          `yaml:"threads" doc:"threads of libtorch" range:"0 1024" zero:"all cores"`
	Device    string       `yaml:"device" doc:"where tensors are computed" form:"cpu, cuda or cuda:N"`
	Precision string       `yaml:"precision" doc:"precision of the factors of matrix products; tf32 for GPUs, bf16 for CPUs with AMX or AVX512_BF16, auto: what the device has" oneof:"float32 tf32 bf16 auto"`
	Data      Data         `yaml:"data" doc:"the molecules and the tasks"`
	Model     model.Config `yaml:"model" doc:"the model and its method"`
	Episode   Episode      `yaml:"episode" doc:"the size of an episode"`
	Train     Train        `yaml:"train" doc:"training and evaluation"`
}

// CPU is the device that needs no GPU.
const CPU = "cpu"

// precisions maps the values of Config.Precision, except auto, to precisions.
var precisions = map[string]ops.Precision{"float32": ops.Float32, "tf32": ops.TF32, "bf16": ops.BF16}

// anyPrecision selects the fastest precision of a device.
const anyPrecision = "auto"

// SetPrecision sets the precision of products in this process to that of c.
func (c Config) SetPrecision() { ops.SetPrecision(c.products()) }

// products returns the precision of products. Presets have auto, which works on any device.
func (c Config) products() ops.Precision {
	switch {
	case c.Precision != anyPrecision:
		return precisions[c.Precision]
	case c.Device != CPU:
		return ops.TF32
	case ops.HasBF16():
		return ops.BF16
	}
	return ops.Float32
}

// Feasible returns c with settings that its device supports, since a trained model may be
// used on another device. Precision float32 replaces one that is not supported, and a
// dropout mask for each atom replaces a mask that is not supported.
func (c Config) Feasible() Config {
	if c.checkPrecision() != nil {
		c.Precision = "float32"
	}
	if c.checkMask() != nil {
		c.Model.DropoutMask = model.MaskAtom
	}
	return c
}

// Data selects the molecules and tasks of a run: the settings below "data.".
type Data struct {
	Path         string `yaml:"path" doc:"the data set" form:"embedded, a file (docs/files.md), or a folder of task files or CSV files"`
	AbsolutePath string `yaml:"absolute_path" doc:"data.path from any folder, which a run writes" form:"a path" zero:"data.path in this folder"`

	Split     string `yaml:"split" doc:"training and test tasks; auto: the folds of a folder, or the data set that has the file's columns; all: every task is a test task" form:"auto, all, a data set, or task numbers such as 0-8/9-11"`
	SMILES    string `yaml:"smiles" doc:"the column of the molecules" form:"a column's name"`
	Delimiter string `yaml:"delimiter" doc:"separator of cells" form:"comma, semicolon, tab, bar or space" zero:"as the file shows"`
	Encoding  string `yaml:"encoding" doc:"encoding of the text" form:"utf-8, utf-16le, latin-1 or another name" zero:"as the file shows"`
	Sheet     string `yaml:"sheet" doc:"sheet of a workbook" form:"its name" zero:"the first with molecules"`
	Header    int    `yaml:"header" doc:"row of the header, from 1; -1: none" range:"-1 20" zero:"as the file shows"`

	Conditions  string `yaml:"rows" doc:"conditions that rows of a table have to fulfil" form:"such as Target = hERG, separated by ;" zero:"all rows count"`
	Label       string `yaml:"label" doc:"the columns that are tasks" form:"names, separated by ;" zero:"all but molecules and names"`
	Ignore      string `yaml:"ignore" doc:"columns that are not tasks" form:"names, separated by ;" zero:"none"`
	ActiveBelow string `yaml:"active_below" doc:"threshold of measurements; below it is active" form:"a number, perhaps with a unit, or one for each of data.label, separated by ;" zero:"labels such as 1 and 0"`
	ActiveAbove string `yaml:"active_above" doc:"threshold of measurements; above it is active" form:"as data.active_below" zero:"labels such as 1 and 0"`
	Unit        string `yaml:"unit" doc:"unit of the threshold, and of measurements without one" form:"M, mM, uM, nM, pM, mg/l, ug/ml, g/l or %, or one for each of data.label" zero:"of the measurements"`
	Decimal     string `yaml:"decimal" doc:"decimal sign of measurements" form:". or ," zero:"as each column shows"`

	ValueUnit     string `yaml:"value_unit" doc:"unit of measurements" form:"as data.unit" zero:"of a column of units, the column's name, or data.unit"`
	SignColumn    string `yaml:"sign_column" doc:"column of signs such as >" form:"its name, or none" zero:"as the header shows"`
	UnitColumn    string `yaml:"unit_column" doc:"column of units" form:"its name, or none" zero:"as the header shows"`
	TypeColumn    string `yaml:"type_column" doc:"column of types" form:"its name, or none" zero:"as the header shows"`
	Type          string `yaml:"type" doc:"type of measurements that count" form:"such as IC50" zero:"the most frequent"`
	ActiveWords   string `yaml:"active_words" doc:"further words for active" form:"words, separated by ;" zero:"none"`
	InactiveWords string `yaml:"inactive_words" doc:"further words for inactive" form:"words, separated by ;" zero:"none"`

	Molecules string `yaml:"molecules" doc:"molecules are parents of salts, or as drawn" oneof:"parents drawn" zero:"parents, but drawn in published data sets and task files"`
	Repeats   string `yaml:"repeats" doc:"a molecule of several rows counts once, or each row" oneof:"merge keep" zero:"merge, but keep in published data sets and task files"`

	Cache string `yaml:"cache" doc:"folder that keeps the molecules' graphs between runs" form:"a folder" zero:"the user's cache"`
}

// Reading returns the settings for reading files.
func (d Data) Reading() table.Options {
	return table.Options{SMILES: d.SMILES, Delimiter: d.Delimiter, Encoding: d.Encoding, Sheet: d.Sheet, Header: d.Header}
}

// Rows returns the settings for molecules and repeated molecules in rows of a table.
func (d Data) Rows() source.Rows {
	return source.Rows{Molecules: cmp.Or(d.Molecules, source.RowsAuto), Repeats: cmp.Or(d.Repeats, source.RowsAuto)}
}

// Labels returns the settings that define which columns are tasks, and what is active in them.
func (d Data) Labels() label.Settings {
	return label.Settings{
		Columns: d.Label, Ignore: d.Ignore, Below: d.ActiveBelow, Above: d.ActiveAbove, Units: d.Unit, Decimal: d.Decimal,
		ValueUnit: d.ValueUnit, Signs: d.SignColumn, UnitColumn: d.UnitColumn, Types: d.TypeColumn, Type: d.Type,
		Active: d.ActiveWords, Inactive: d.InactiveWords, Rows: strings.ReplaceAll(d.Conditions, ";", "\n"),
	}
}

// flags matches flags in messages of packages label and table.
var flags = regexp.MustCompile(`--([a-z]+(?:-[a-z]+)*)`)

// asSettings replaces flags by settings: --active-below by data.active_below.
func asSettings(text string) string {
	return flags.ReplaceAllStringFunc(text, func(flag string) string { return "data." + strings.ReplaceAll(flag[2:], "-", "_") })
}

func (d Data) checkLabels() error {
	_, err := d.Labels().Parse()
	if err == nil {
		return nil
	}
	return errors.New(asSettings(err.Error()))
}

// IsDevice reports whether name is a device: cpu, cuda or cuda:N.
func IsDevice(name string) bool { return deviceName.MatchString(name) }

var deviceName = regexp.MustCompile(`^(cpu|cuda(:[0-9]{1,3})?)$`)

// Validate reports the first setting that cannot be used, before anything is
// loaded.
func (c Config) Validate() error {
	if err := setting.Check("", c); err != nil {
		return err
	}
	if !IsDevice(c.Device) {
		return fmt.Errorf("device: %q is not known; write cpu, cuda or cuda:N", c.Device)
	}
	err := cmp.Or(c.checkPrecision(), c.checkMask(), c.Data.checkLabels(), c.Model.Validate(), c.Episode.checkTogether(),
		c.Train.checkTogether(), c.checkMethod())
	if err != nil {
		return err
	}
	if last := uint64(c.Train.Replicas - 1); c.Seed > math.MaxUint64-last {
		return fmt.Errorf("seed: %d leaves no room for %d replicas; write %d or less", c.Seed, c.Train.Replicas, math.MaxUint64-last)
	}
	return nil
}

// checkPrecision refuses a precision that the device does not support. Configurations of
// earlier versions may have tf32 on the CPU, where it rounded without being faster, and
// bf16 on a GPU, where it was TF32.
func (c Config) checkPrecision() error {
	switch p, onCPU := c.products(), c.Device == CPU; {
	case p == ops.TF32 && onCPU:
		return errors.New("precision: tf32 is for GPUs; with device=cpu write float32")
	case p == ops.BF16 && !onCPU:
		return errors.New("precision: bf16 is for CPUs; on a GPU write tf32 or float32")
	case p == ops.BF16 && !ops.HasBF16():
		return errors.New("precision: bf16 needs a processor with AMX or AVX512_BF16, which this is not; write auto or float32")
	}
	return nil
}

// checkMask refuses a dropout mask that the operations of the device do not support.
func (c Config) checkMask() error {
	if c.Device != CPU && c.Model.DropoutMask == model.MaskSurrounding {
		return fmt.Errorf("model.dropout_mask: surrounding is for CPUs; with device=%s write atom", c.Device)
	}
	return nil
}

// checkMethod reports the first setting of training that conflicts with the method.
func (c Config) checkMethod() error {
	switch traits := methods.TraitsOf(c.Model); {
	case c.Model.Pretrained != "" && traits.NoEncoder:
		return fmt.Errorf("model.pretrained: model.method=%s has no encoder to start from; leave it out", c.Model.Method)
	case c.Train.Init != "" && c.Model.Pretrained != "":
		return errors.New("train.init: all weights come from it, and the encoder's from model.pretrained; write one of them")
	case c.Train.Init != "" && traits.Untrained:
		return fmt.Errorf("train.init: model.method=%s has no weights to start from; leave it out", c.Model.Method)
	case traits.Untrained && c.Train.Episodes > 0:
		return fmt.Errorf("train.episodes: model.method=%s has nothing to train; write 0", c.Model.Method)
	case !traits.Untrained && c.Train.Episodes == 0:
		return errors.New("train.episodes: 0 is out of range; write 1 or more")
	case traits.Tunes:
		return c.Train.FineTune.Check(traits)
	}
	return nil
}
