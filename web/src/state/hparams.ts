// The page of trials: which trials are listed, in which order, which are highlighted, and in which colors. All is
// derived from the trials, the board's runs and the view. Each trial has one or more runs: the filter of runs filters
// trials, too, trials of hidden runs are dimmed, and the runs of selected trials can be shown alone on all other pages.
// This file exports one module for each topic.

export * from "./hparams_axes";
export * from "./hparams_brushes";
export * from "./hparams_columns";
export * from "./hparams_listed";
export * from "./hparams_pointing";
export * from "./hparams_runs";
