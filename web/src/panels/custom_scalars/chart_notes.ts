// Messages about errors in a chart of the layout: invalid expressions, missing tags, incomplete bands. Pure functions.

import type { CustomCard, TagMatch } from "../../state/custom_scalars";
import { explainedText } from "../../state/explained";
import type { HeldLayer } from "../../state/series";
import type { Texts } from "../../state/texts/custom_scalars";

/** Messages for expressions that do not parse or match nothing. */
export function patternNotes(
  { chart, pending }: Pick<CustomCard, "chart" | "pending">,
  matchOf: (pattern: string) => TagMatch | undefined,
  words: Texts,
): readonly string[] {
  if (chart.bands.length > 0) return [];
  if (chart.patterns.length === 0) return [words.noPattern];
  if (pending) return [];
  return chart.patterns.flatMap((pattern) => {
    const match = matchOf(pattern);
    if (match === undefined) return [];
    if (match.problem !== null) return [words.wrongPattern(pattern, explainedText(match.problem))];
    if (match.count === 0) return [words.noTag(pattern)];
    return match.count > match.tags.length ? [words.most(match.tags.length, match.count)] : [];
  });
}

/** Messages for missing or incomplete bands of drawn runs. */
export function bandNotes(
  layers: readonly Pick<HeldLayer, "lines">[],
  isDrawn: (run: string) => boolean,
  nameOf: (run: string) => string,
  words: Texts,
): readonly string[] {
  const notes = layers.flatMap(({ lines }) =>
    (lines.unbanded ?? []).flatMap(({ run, value, lower, upper, missing, shared }) => {
      if (!isDrawn(run)) return [];
      if (missing.length > 0) return [words.missing(nameOf(run), missing.join(", "))];
      return [`${words.steps(nameOf(run), value, lower, upper)} ${words.shared(shared)}`];
    }),
  );
  return [...new Set(notes)];
}
