package main

// evalHelp is the introduction of pacia eval --help.
const evalHelp = `Measure a trained model on the test tasks of its data set: for each task it
adapts to a support set and ranks all other molecules. With the seed of the
training, which is the default, the figures are those that the training recorded
for this model.

--set data.path=FILE measures the model on another data set: all tasks of a table, or
those in test/ of a folder, which are all tasks if it has no test/. Columns and split are
not those of the training; --set data.split=… and the other settings of data. choose.

With several --checkpoint the mean of the models' probabilities is measured, as predict
ranks by it, on the data set and with the settings of the first one. Their methods may
differ; they must read the same molecules. A molecule is known if one of them knows it.

--predictions writes a CSV with a row for each query molecule of each draw: task, draw,
seed, support (molecules), row, name and smiles in the file, label, probability, and
whether the molecule is known from training, if the model has a record of that.

With --results a model is tested by the protocol of FS-Mol: support sets of 16,
32, 64, 128 and 256 molecules, stratified, ten draws of each with the seeds seed,
seed+1, …; its tables TASK_eval_results.csv and summary.csv go into that folder.
With --against the tasks are paired with those of other results: another such folder,
or a table with the columns method, support, assay and delta_auprc.

With --history molecules are also compared by past assays, as in predict. An evaluated
task that is among them, by its name or all its labels, is left out, and so is it for its
controls; --keep-assay keeps it. --predictions then also has how often a molecule was
measured and active there. What your history adds, paired over the tasks:
  pacia eval --set data.path=fsmol --results without --sizes 16
  pacia eval --set data.path=fsmol --results with --sizes 16 --history past.csv --against without

Beside the figures stand those with swapped labels, with the support set of
another task, and the difference to the first of them, which is the model's
adaptivity: --set train.adaptivity_draws=1 and train.adaptivity_queries=1000 bound
what that costs, --set train.adaptivity=never leaves it out.

With --values a model learns the measured values of support sets, and their labels
beside. The figures are ΔAUPRC of both, Spearman's ρ, R²_os, and the share of values
that intervals of 80 % hold.

A model that is fine-tuned (model.method finetune or multitask) can be measured
with several numbers of gradient steps: --finetune-steps 1,2,3,4,5.`
