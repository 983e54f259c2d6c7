// A chart of the layout, edited: its title, and the expressions of its lines, each with what it matches, or its bands.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { TagPicker } from "../../cards/charts/tag_picker";
import { knownTags, scalarTags } from "../../state/cards";
import { type ChartPlace, type CustomBand, type CustomChart, putChart, withCategory } from "../../state/custom_layout";
import { editLayout, matchOf, matchTyped } from "../../state/custom_scalars";
import * as customScalarsWords from "../../state/texts/custom_scalars";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import "./chart_dialog.css";
import { exactPattern } from "./exact_pattern";

type Properties = {
  readonly place: ChartPlace;
  /** Null: a new one. */
  readonly chart: CustomChart | null;
  readonly onClose: () => void;
};

const NO_BAND: CustomBand = { value: "", lower: "", upper: "" };

export function ChartDialog({ place, chart, onClose }: Properties): JSX.Element {
  const words = spoken(customScalarsWords);
  const title = useSignal(chart?.title ?? "");
  const shape = useSignal<"lines" | "band">((chart?.bands.length ?? 0) > 0 ? "band" : "lines");
  const patterns = useSignal<readonly string[]>(chart === null || chart.patterns.length === 0 ? [""] : chart.patterns);
  const bands = useSignal<readonly CustomBand[]>(chart === null || chart.bands.length === 0 ? [NO_BAND] : chart.bands);
  useEffect(() => {
    matchTyped(patterns.value);
  }, [patterns.value]);
  useEffect(() => () => matchTyped([]), []);
  const whole = bands.value.filter(({ value, lower, upper }) => value !== "" && lower !== "" && upper !== "");
  const typed = patterns.value.filter((pattern) => pattern !== "");
  const possible = shape.value === "band" ? whole.length > 0 : typed.length > 0;
  const save = (): void => {
    if (!possible) return;
    const content: CustomChart = {
      title: title.value.trim(),
      patterns: shape.value === "lines" ? typed : [],
      bands: shape.value === "band" ? whole : [],
    };
    // the first chart of all brings a category with it
    editLayout((now) => putChart(now.length === 0 ? withCategory(now, words.firstCategory) : now, place, content));
    onClose();
  };
  const action = chart === null ? words.make : words.save;
  return (
    <Dialog
      title={chart === null ? words.newTitle : words.editTitle}
      onClose={onClose}
      testId="custom-chart-dialog"
      actions={
        <>
          <Button label={words.cancel} title={words.cancel} onClick={onClose} />
          <Button
            label={action}
            title={action}
            kind="primary"
            disabled={!possible}
            testId="custom-chart-save"
            onClick={save}
          />
        </>
      }
    >
      <div class="custom-dialog">
        <TextField
          label={words.chartTitle}
          value={title.value}
          autoFocus={chart === null}
          testId="custom-chart-title"
          onInput={(text) => {
            title.value = text;
          }}
        />
        <Select
          label={words.shape}
          value={shape.value}
          testId="custom-chart-shape"
          options={(["lines", "band"] as const).map((value) => ({ value, label: words.shapes[value] }))}
          onChange={(value) => {
            shape.value = value;
          }}
        />
        {shape.value === "lines" ? (
          <Patterns
            patterns={patterns.value}
            onChange={(next) => {
              patterns.value = next;
            }}
            onEnter={save}
          />
        ) : (
          <Bands
            bands={bands.value}
            onChange={(next) => {
              bands.value = next;
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return list.map((one, i) => (i === at ? item : one));
}

type PatternsProperties = {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: readonly string[]) => void;
  readonly onEnter: () => void;
};

function Patterns({ patterns, onChange, onEnter }: PatternsProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const add = (pattern: string): void => onChange([...patterns.filter((one) => one !== ""), pattern]);
  const matched = [...new Set(patterns.flatMap((pattern) => matchOf(pattern)?.tags ?? []))];
  return (
    <>
      <p class="custom-dialog__hint">{words.patternHint}</p>
      {patterns.map((pattern, at) => (
        <div key={at} class="custom-dialog__row">
          <PatternField
            pattern={pattern}
            onInput={(text) => onChange(replaced(patterns, at, text))}
            onEnter={onEnter}
          />
          {patterns.length > 1 && (
            <Button
              kind="quiet"
              icon="close"
              title={words.removePattern}
              onClick={() => onChange(patterns.filter((_, i) => i !== at))}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          kind="quiet"
          icon="plus"
          label={words.addPattern}
          title={words.addPattern}
          onClick={() => onChange([...patterns, ""])}
        />
      </div>
      {matched.length > 0 && (
        <p class="custom-dialog__matched">
          {matched.slice(0, 12).join(" · ")}
          {matched.length > 12 && " …"}
        </p>
      )}
      <span class="field__label">{words.addTag}</span>
      <TagPicker
        label={words.addTag}
        tags={scalarTags.value}
        chosen={matched}
        onChoose={(tag) => {
          if (!matched.includes(tag)) add(exactPattern(tag));
        }}
      />
    </>
  );
}

type PatternFieldProperties = {
  readonly pattern: string;
  readonly onInput: (text: string) => void;
  readonly onEnter: () => void;
};

function PatternField({ pattern, onInput, onEnter }: PatternFieldProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const match = pattern === "" ? undefined : matchOf(pattern);
  const wrong = match !== undefined && match.problem !== "";
  return (
    <TextField
      label={words.pattern}
      bare
      value={pattern}
      placeholder="loss/.*"
      invalid={wrong}
      hint={match === undefined ? " " : wrong ? match.problem : words.matching(match.count)}
      testId="custom-pattern"
      onInput={onInput}
      onEnter={onEnter}
    />
  );
}

type BandsProperties = {
  readonly bands: readonly CustomBand[];
  readonly onChange: (bands: readonly CustomBand[]) => void;
};

function Bands({ bands, onChange }: BandsProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  /** The field a tag from the list goes into. */
  const current = useSignal<{ readonly at: number; readonly name: keyof CustomBand }>({ at: 0, name: "value" });
  const set = (at: number, name: keyof CustomBand, text: string): void =>
    onChange(bands.map((band, i) => (i === at ? { ...band, [name]: text } : band)));
  const names = ["value", "lower", "upper"] as const;
  return (
    <>
      {bands.map((band, at) => (
        <div key={at} class="custom-dialog__row">
          <div class="custom-dialog__band">
            {names.map((name) => (
              <div
                key={name}
                class={
                  current.value.at === at && current.value.name === name ? "custom-dialog__field--current" : undefined
                }
                onFocusCapture={() => {
                  current.value = { at, name };
                }}
              >
                <TextField
                  label={words[name]}
                  value={band[name]}
                  hint={band[name] !== "" && !knownTags.value.has(band[name]) ? words.unknownTag : undefined}
                  testId={`custom-band-${name}`}
                  onInput={(text) => set(at, name, text)}
                />
              </div>
            ))}
          </div>
          {bands.length > 1 && (
            <Button
              kind="quiet"
              icon="close"
              title={words.removeBand}
              onClick={() => onChange(bands.filter((_, i) => i !== at))}
            />
          )}
        </div>
      ))}
      <div>
        <Button
          kind="quiet"
          icon="plus"
          label={words.addBand}
          title={words.addBand}
          onClick={() => onChange([...bands, NO_BAND])}
        />
      </div>
      <span class="field__label">{words.addTag}</span>
      <TagPicker
        label={words.addTag}
        tags={scalarTags.value}
        chosen={bands.flatMap((band) => names.map((name) => band[name]))}
        onChoose={(tag) => {
          const { at, name } = current.value;
          set(at, name, tag);
          const next = names[names.indexOf(name) + 1];
          if (next !== undefined) current.value = { at, name: next };
        }}
      />
    </>
  );
}
