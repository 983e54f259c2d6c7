// The options of t-SNE.

import type { JSX } from "preact";
import { columnNames } from "../../state/projector";
import * as projectorWords from "../../state/texts/projector";
import { changeView, spoken, view } from "../../state/view";
import { NumberField } from "../../widgets/number_field";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { TextField } from "../../widgets/text_field";

const RATES = [0, 0.001, 0.01, 0.1, 1, 10, 100, 1000] as const;

export function TsneForm(): JSX.Element {
  const words = spoken(projectorWords);
  const chosen = view.value;
  const rates = (RATES as readonly number[]).includes(chosen.projectorLearningRate)
    ? RATES
    : [...RATES, chosen.projectorLearningRate];
  return (
    <>
      <div class="projector-pane__row" title={words.perplexityHint}>
        <span aria-hidden="true">{words.perplexity}</span>
        <NumberField
          label={words.perplexity}
          bare
          optional
          value={chosen.projectorPerplexity === 0 ? null : chosen.projectorPerplexity}
          placeholder={words.automatic}
          min={2}
          max={100}
          step={1}
          testId="projector-perplexity"
          onChange={(value) => changeView({ projectorPerplexity: value ?? 0 })}
        />
      </div>
      <div class="projector-pane__row">
        <span aria-hidden="true">{words.learningRate}</span>
        <Select
          label={words.learningRate}
          bare
          value={String(chosen.projectorLearningRate)}
          options={rates.map((rate) => ({ value: String(rate), label: rate === 0 ? words.automatic : String(rate) }))}
          testId="projector-learning-rate"
          onChange={(value) => changeView({ projectorLearningRate: Number(value) })}
        />
      </div>
      {columnNames.value.length > 0 && <Supervision columns={columnNames.value} />}
    </>
  );
}

/** Supervision: the column whose equal values attract each other, and how strongly. */
function Supervision({ columns }: { readonly columns: readonly string[] }): JSX.Element {
  const words = spoken(projectorWords);
  const { projectorSuperviseBy, projectorSupervise, projectorIgnore } = view.value;
  return (
    <>
      <div class="projector-pane__row">
        <span aria-hidden="true">{words.superviseBy}</span>
        <Select
          label={words.superviseBy}
          bare
          value={columns.includes(projectorSuperviseBy) ? projectorSuperviseBy : ""}
          options={[{ value: "", label: words.nobody }, ...columns.map((name) => ({ value: name, label: name }))]}
          testId="projector-supervise-by"
          onChange={(name) =>
            changeView({
              projectorSuperviseBy: name,
              ...(name !== "" && projectorSupervise === 0 ? { projectorSupervise: 25 } : {}),
            })
          }
        />
      </div>
      {projectorSuperviseBy !== "" && (
        <>
          <div title={words.superviseHint}>
            <Slider
              label={words.supervise}
              value={projectorSupervise}
              min={0}
              max={100}
              step={1}
              numberField={{ max: 100, step: 1 }}
              testId="projector-supervise"
              onInput={(value) => changeView({ projectorSupervise: Math.round(value) })}
            />
          </div>
          <TextField
            label={words.ignore}
            value={projectorIgnore}
            hint={words.ignoreHint}
            testId="projector-ignore"
            onInput={(text) => changeView({ projectorIgnore: text })}
          />
        </>
      )}
    </>
  );
}
