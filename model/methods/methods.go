// Package methods is the table of all methods by which a model adapts to a task
// (model.method). A method is a folder beside this one, and a line here.
package methods

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/adkf"
	"pacia/model/egnn"
	"pacia/model/finetune"
	"pacia/model/forest"
	"pacia/model/gp"
	"pacia/model/gsmeta"
	"pacia/model/iterref"
	"pacia/model/kernel"
	"pacia/model/maml"
	"pacia/model/metamgnn"
	"pacia/model/mhnfs"
	"pacia/model/multitask"
	"pacia/model/pacia"
	"pacia/model/par"
	"pacia/model/pintuning"
	"pacia/model/probe"
	"pacia/model/proto"
	"pacia/model/siamese"
	"pacia/model/similarity"
	"pacia/model/single"
)

// Default is the method if model.method is not set.
const Default = "pacia"

// All lists the methods.
var All = []model.Spec{
	pacia.Spec,
	finetune.Spec,
	single.Spec,
	multitask.Spec,
	maml.Spec,
	metamgnn.Spec,
	proto.Spec,
	adkf.Spec,
	par.Spec,
	siamese.Spec,
	iterref.Spec,
	mhnfs.Spec,
	gsmeta.Spec,
	pintuning.Spec,
	egnn.Spec,
	kernel.Spec,
	probe.Spec,
	similarity.Spec,
	forest.Spec,
	gp.Spec,
}

// Names lists the names of all methods.
func Names() (names []string) {
	return each.Of(All, func(s model.Spec) string { return s.Name })
}

// Find returns the method of that name.
func Find(name string) (model.Spec, error) {
	for _, s := range All {
		if s.Name == name {
			return s, nil
		}
	}
	return model.Spec{}, fmt.Errorf("model.method: %q is not one of %s", name, strings.Join(Names(), ", "))
}

// Traits returns the traits of a method: of the default one for an empty name, and no
// traits for an unknown name, which [Find] refuses.
func Traits(name string) model.Traits {
	s, _ := Find(cmp.Or(name, Default))
	return s.Traits
}

// TraitsOf returns the traits of the method that c names, with the settings of c.
func TraitsOf(c model.Config) model.Traits {
	s, _ := Find(cmp.Or(c.Method, Default))
	return s.TraitsOf(c)
}

// New makes a model of the method that c names.
func New(c model.Config, o model.Options) (*model.Model, error) {
	s, err := Find(c.Method)
	if err != nil {
		return nil, err
	}
	return model.New(s, c, o)
}

// ForPreset returns the settings of a preset of the model, with the defaults of a
// method's own settings.
func ForPreset(preset, method string) (model.Config, error) {
	c, err := model.ForPreset(preset)
	if err != nil {
		return c, err
	}
	s, err := Find(method)
	if err != nil {
		return c, err
	}
	c.Method, c.Own = method, s.Settings(preset)
	return c, nil
}

// Owners returns the names of the methods with a setting of this name in their own settings,
// such as model.relation.layers.
func Owners(name string) (owners []string) {
	for _, s := range All {
		own := setting.List("model.", s.Settings(model.Paper))
		if slices.ContainsFunc(own, func(o setting.Setting) bool { return o.Name == name }) {
			owners = append(owners, s.Name)
		}
	}
	return owners
}
