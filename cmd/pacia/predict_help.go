package main

// predictHelp is the introduction of pacia predict --help.
const predictHelp = `Rank a library of molecules for an assay, from a few labelled ones.

Files are CSV or other separated text, lists of SMILES, SD files or Excel workbooks
(.xlsx), packed by gzip or not; - is the standard input or output. Separators, encodings
and columns are found in the file. What is assumed is reported with the flag that
changes it.

The support file has molecules and a column of labels: 1 or 0, yes or no, active or
inactive, + or -; or measurements, with --active-below 1 --unit uM. One molecule of
each class is enough, ten are better. The table keeps the candidates' columns. It adds
rank, probability (of being active), depth (layers of the relation graph that were used)
and in_support (the label of a candidate that is in the support file). Where the model
reads fingerprints, it also adds the nearest support molecules. Molecules that cannot be
read are listed in a file beside it: ranked.invalid.csv for ranked.csv.

Without --checkpoint the model that ships is used: it is part of the program and was
trained on FS-Mol's assays. docs/model.md has its figures.

--method similarity, or another method that needs no training, ranks for comparison.
--outcome names a file with labels of the candidates, and counts the actives among the
first.

Probabilities assume that actives are as frequent in the library as in the support
file. In most libraries they are rarer: --prior 2% means that 2 % of the
candidates are expected to be active. It changes the probabilities, and never the ranks.

The model sees the parents of salts, without charges that moving hydrogens can take
away; the tables keep molecules as they are drawn. --as-drawn changes that. A molecule of
several rows in the support file counts once, with the label of most of them.

With --potency "IC50 (nM)" the model learns measurements as numbers, and a value such as
>10000 as a bound. The ranking is by predicted potency. Column potency is a pIC50, with an
interval that holds four of five measurements; column predicted is the same in the unit of
the measurements. Without a threshold, active is what is better than the median.

--match and --exclude take SMARTS: molecules that lack the former or have the latter are
left out before the ranking, and so are those that do not fulfil a condition of --where.
--columns adds what RDKit computes: properties (weight, logP, TPSA, donors, acceptors,
rings, QED), alerts (matches of PAINS, BRENK and NIH), and scaffold (Murcko).

--against counter.csv ranks by selectivity: the probability of being active in the assay of
--support and in none of those of --against, were they independent. Each has its column.
A counter assay of its own has a column, a threshold and rows: --against
"panel.csv:hERG IC50 (uM) < 10 uM" or "long.csv:IC50 (nM) < 10 uM; Target = hERG". So has
--outcome. --rows "Target = ABL1" takes the rows of the support file that are the assay.
--history past.csv names past assays of the same collection, a column or a row each:
molecules are also compared by what was measured of them. Columns past and past_active
count their assays. --specific leaves out how often a molecule was active at all.
--reasons 100 states why the first hundred rank where they do: the shares of support
molecules and of atoms in the log-odds, and labels that are known from training.
--report writes a page with the first hundred molecules drawn, to look at or to print.
--diverse 24 picks dissimilar molecules among the first ones, to order.

The model that ships compares molecules by vectors of the encoder MiniMol, which takes
1.3 ms a molecule and thread. It ranks the library without them first, and then the first
two fifths (at least 2,000 and at most 10,000 molecules) again with them. --refine sets how many; 0 means all.
With several --checkpoint the mean of the models' probabilities ranks, and the column
spread is their standard deviation.

--shards 8 ranks the library in eight parts, side by side on this machine or, with
--engine slurm, as a job array on a cluster, and puts them together: the table is the
one that one process would write. Where parts were stopped or killed, the same command
ranks these again, and keeps the others.`
