// Form that chooses principal components as axes, with the share of the variance that each explains.

import type { JSX } from "preact";
import { embedding } from "../../state/projector";
import { layoutStatus } from "../../state/projector_layout";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { Select } from "../../widgets/select";

const AXES = ["X", "Y", "Z"] as const;
const MOST = 10;

export function PcaForm(): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorComponents: chosen, projectorDims: dims } = view.value;
  const explained = layoutStatus.value?.shares ?? [];
  const known = Math.min(MOST, embedding.value?.dims ?? MOST, explained.length > 0 ? explained.length : MOST);
  const share = (at: number): string =>
    explained[at] === undefined ? "" : `${Math.round(100 * (explained[at] ?? 0))}%`;
  const used = AXES.slice(0, dims).map((_, axis) => chosen[axis] ?? axis);
  return (
    <>
      <div class="projector-components">
        {AXES.slice(0, dims).map((axis, at) => (
          <Select
            key={axis}
            label={axis}
            value={String(chosen[at] ?? at)}
            options={Array.from({ length: Math.max(known, (chosen[at] ?? at) + 1) }, (_, one) => ({
              value: String(one),
              label: words.componentName(one + 1, share(one)),
            }))}
            testId={`projector-component-${axis.toLowerCase()}`}
            onChange={(value) =>
              changeView({
                projectorComponents: [0, 1, 2].map((place) =>
                  place === at ? Number(value) : (view.peek().projectorComponents[place] ?? place),
                ),
              })
            }
          />
        ))}
      </div>
      {explained.length > 0 && <Variance explained={explained} used={used} />}
    </>
  );
}

type VarianceProps = { readonly explained: readonly number[]; readonly used: readonly number[] };

/** Shows the share of the variance that each component explains; used components are marked. */
function Variance({ explained, used }: VarianceProps): JSX.Element {
  const words = spoken(projectorWords);
  const together = [...new Set(used)].reduce((sum, at) => sum + (explained[at] ?? 0), 0);
  const most = Math.max(...explained, 1e-9);
  const bar = "projector-variance__bar";
  return (
    <>
      <div
        class="projector-variance"
        role="img"
        aria-label={`${words.explainedList}: ${explained.map((part, at) => `${at + 1}: ${percent(part)}`).join(", ")}`}
      >
        {explained.slice(0, MOST).map((part, at) => (
          <span
            key={at}
            class={used.includes(at) ? `${bar} ${bar}--on` : bar}
            title={words.componentName(at + 1, percent(part))}
            style={{ height: `${Math.max(2, (100 * part) / most)}%` }}
          />
        ))}
      </div>
      <p class="projector-pane__hint" data-testid="projector-explained">
        {words.explained(percent(together))}
      </p>
    </>
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
