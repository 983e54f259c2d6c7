// Whether the lowest or the highest value of a metric is best, guessed from its name. The server has the same rules in
// query/hparams/trial_metrics.py.

const HIGH =
  /acc|auc|auroc|f1|fbeta|precision|recall|dice|iou|jaccard|\bmap|map[_@\d]|ndcg|mrr|bleu|rouge|meteor|psnr|ssim|reward|return|score|r2|success|hit|kappa|mcc|matthews|spearman|pearson|throughput|samples_per_second|steps_per_second|win_?rate|pass@|exact_match|\bem\b|likelihood|elbo|silhouette/i;
const LOW =
  /loss|err|mse|mae|rmse|mape|perplex|ppl|nll|cross_?entropy|\bce\b|divergence|\bkl|wer|cer|fid|brier|ece|regret|cost|objective|time|secs|seconds|duration|runtime|latency|memory|distance|penalty|huber|hinge|bpb|bpd|bits_per/i;
// logged with metrics, but not a goal: steps, learning rates, state of the machine
const ASIDE =
  /(^|[/_.-])(epochs?|steps?|global_step|lr|learning_rate|lr-\w+|grad_norm|gradnorm|time|timestamp|fps|iteration|iter)$|^(system|perf|gpu|cpu|memory)\/|SPS$|total_flos$/i;

export type Goal = "min" | "max";

/** Returns null if the name says nothing, or both. */
export function goalOf(tag: string): Goal | null {
  if (ASIDE.test(tag)) return null;
  const [low, high] = [LOW.test(tag), HIGH.test(tag)];
  return low === high ? null : low ? "min" : "max";
}

export type Verdict = "better" | "worse" | null;

/** Compares a value with the reference; null if they are equal, or the goal is not known. */
export function verdictOf(value: number | null, reference: number | null, goal: Goal | null): Verdict {
  if (value === null || reference === null || goal === null) return null;
  const delta = value - reference;
  if (!Number.isFinite(delta) || delta === 0) return null;
  return delta < 0 === (goal === "min") ? "better" : "worse";
}
