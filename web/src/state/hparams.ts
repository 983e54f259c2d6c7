// The page of trials: which are listed, in which order, which of them stand out, and in which colors, all derived from
// the trials, the board's runs and the view. Each trial has one or more runs: the filter of runs filters trials, too, the
// trials of hidden runs are dim, and the runs of chosen trials can be shown alone on every other page.
// One file for each noun; this one lists them.

export * from "./hparams_axes";
export * from "./hparams_brushes";
export * from "./hparams_columns";
export * from "./hparams_listed";
export * from "./hparams_pointing";
export * from "./hparams_runs";
