package pretrain

import (
	"testing"

	"pacia/internal/badinput"
)

func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.Task = "jigsaw" }, `--task "jigsaw" is not one of masking, context, edges, infomax, supervised, graphmae, graphlog, mgssl`},
		{func(o *Options) { o.Encoder = "pna" }, `--encoder "pna" is not one of gin, gcn, graphsage, gat`},
		{func(o *Options) { o.Encoder = "mpnn" }, `--encoder "mpnn" is not one of gin, gcn, graphsage, gat`},
		{func(o *Options) { o.Task, o.Bonds = Context, true }, "--bonds goes with --task masking alone; leave it out"},
		{func(o *Options) { o.Task, o.Order, o.Rare = MGSSL, DepthFirst, 5 }, ""},
		{func(o *Options) { o.Order = DepthFirst }, "--order, --rare and --levels go with --task mgssl alone; leave them out"},
		{func(o *Options) { o.Rare = 2 }, "--order, --rare and --levels go with --task mgssl alone; leave them out"},
		{func(o *Options) { o.Levels = true }, "--order, --rare and --levels go with --task mgssl alone; leave them out"},
		{func(o *Options) { o.Task, o.Levels, o.Mask = MGSSL, true, 0.2 }, ""},
		{func(o *Options) { o.Task, o.Mask = MGSSL, 0.2 }, "--mask goes with --task masking, graphmae, graphlog and mgssl --levels; leave it out"},
		{func(o *Options) { o.Order = "random" }, `--order "random" is not one of bfs, dfs`},
		{func(o *Options) { o.Layers = 0 }, "--layers 0 is out of range; write 1 to 64"},
		{func(o *Options) { o.Width = 8193 }, "--width 8193 is out of range; write 1 to 8192"},
		{func(o *Options) { o.Epochs = 0 }, "--epochs 0 is out of range; write 1 to 1000000"},
		{func(o *Options) { o.Steps = -1 }, "--steps -1 is out of range; write 1 to 1000000000 (0: as --epochs)"},
		{func(o *Options) { o.Batch = 1 }, "--batch 1 is out of range; write 2 to 65536"},
		{func(o *Options) { o.Dropout = 1 }, "--dropout 1 is out of range; write a number from 0 to below 1"},
		{func(o *Options) { o.LearningRate = 0 }, "--learning-rate 0 is out of range; write a number above 0, at most 1"},
	} {
		o := Default()
		tt.change(&o)
		err := o.Validate()
		if tt.want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("error %v, want the fault %q", err, tt.want)
		}
	}
}

// TestARunGoesOnElsewhere: a resumed run may change its length and its device, and no other option.
func TestARunGoesOnElsewhere(t *testing.T) {
	begun := Default()
	begun.Device = "cuda:1"
	now := Default()
	now.Steps, now.Epochs, now.Device = 7, 3, "cpu"
	if err := now.differs(begun); err != nil {
		t.Error(err)
	}
	now.Batch = 32
	want := "the run was begun with --batch 256, now it is 32; write --batch 256 to resume it, or another --out"
	if err := now.differs(begun); err == nil || err.Error() != want {
		t.Errorf("with other batches: %v", err)
	}
}
