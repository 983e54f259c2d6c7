// Dialog to choose columns and their order: facts, hparams (those that differ first), metrics.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { FACTS, hparamNames, hparams, METRICS, scalarTags, wantHparams } from "../../state/run_columns";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { TextField } from "../../widgets/text_field";
import { columnTitle } from "./format";

type Properties = {
  readonly chosen: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
};

// the filter field finds the rest
const MOST_LISTED = 60;

export function ColumnChooser({ chosen, onChange }: Properties): JSX.Element {
  const t = texts.value.runs;
  useEffect(wantHparams, []);
  const search = useSignal("");
  const wanted = search.value.toLowerCase();
  const found = (name: string): boolean => name.toLowerCase().includes(wanted);
  const toggle = (column: string, on: boolean): void =>
    onChange(on ? [...chosen, column] : chosen.filter((one) => one !== column));
  const box = (column: string, label: string, mark = ""): JSX.Element => (
    <Checkbox
      key={column}
      label={mark === "" ? label : `${label} · ${mark}`}
      title={column}
      checked={chosen.includes(column)}
      onChange={(on) => toggle(column, on)}
    />
  );
  const differing = new Set(hparams.value?.names.filter((_, at) => hparams.value?.differs[at]));
  const facts = FACTS.filter((fact) => found(columnTitle(fact)));
  const names = hparamNames.value.filter(found);
  const tags = scalarTags.value.filter(found);
  return (
    <div class="column-chooser">
      <ChosenColumns chosen={chosen} onChange={onChange} />
      <TextField
        label={t.findColumn}
        value={search.value}
        autoFocus
        testId="find-column"
        onInput={(text) => (search.value = text)}
      />
      <div class="column-chooser__lists">
        <fieldset>
          <legend>{t.factColumns}</legend>
          {facts.map((fact) => box(fact, columnTitle(fact)))}
        </fieldset>
        <fieldset>
          <legend>{t.hparamColumns}</legend>
          {names.slice(0, MOST_LISTED).map((name) => box(`hparam:${name}`, name, differing.has(name) ? t.differs : ""))}
          {names.length > MOST_LISTED && <p class="dialog-hint">{t.andMore(names.length - MOST_LISTED)}</p>}
          {names.length === 0 && <p class="dialog-hint">{t.noHparams}</p>}
        </fieldset>
        <fieldset>
          <legend>{t.metricColumns}</legend>
          {tags.slice(0, MOST_LISTED).map((tag) => (
            <div key={tag} class="column-chooser__metric">
              <bdi title={tag}>{tag}</bdi>
              {METRICS.filter((of) => of !== "first").map((of) => box(`${of}:${tag}`, t.metricWords[of]))}
            </div>
          ))}
          {tags.length > MOST_LISTED && <p class="dialog-hint">{t.andMore(tags.length - MOST_LISTED)}</p>}
        </fieldset>
      </div>
    </div>
  );
}

function ChosenColumns({ chosen, onChange }: Properties): JSX.Element {
  const t = texts.value.runs;
  const move = (at: number, by: number): void => {
    const next = [...chosen];
    const [column] = next.splice(at, 1);
    if (column !== undefined) next.splice(at + by, 0, column);
    onChange(next);
  };
  if (chosen.length === 0) return <p class="dialog-hint">{t.noColumns}</p>;
  return (
    <ol class="column-chooser__chosen" aria-label={t.chosenColumns}>
      {chosen.map((column, at) => (
        <li key={column}>
          <Button
            icon="left"
            kind="quiet"
            title={t.earlier(columnTitle(column))}
            disabled={at === 0}
            onClick={() => move(at, -1)}
          />
          <span>{columnTitle(column)}</span>
          <Button
            icon="right"
            kind="quiet"
            title={t.later(columnTitle(column))}
            disabled={at === chosen.length - 1}
            onClick={() => move(at, 1)}
          />
          <Button
            icon="close"
            kind="quiet"
            title={t.removeColumn(columnTitle(column))}
            onClick={() => onChange(chosen.filter((one) => one !== column))}
          />
        </li>
      ))}
    </ol>
  );
}
