// The dialog to edit a chart of the layout: its title, and either the expressions of its lines with their matches, or
// its bands.

import { type Signal, signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { TagPicker } from "../../cards/charts/tag_picker";
import { knownTags, scalarTags } from "../../state/cards";
import { type ChartPlace, type CustomBand, type CustomChart, putChart, withCategory } from "../../state/custom_layout";
import { editLayout, matchOf, matchTyped } from "../../state/custom_scalars";
import { explainedText } from "../../state/explained";
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
  /** Null: a new chart. */
  readonly chart: CustomChart | null;
  readonly onClose: () => void;
};

const NO_BAND: CustomBand = { value: "", lower: "", upper: "" };

/** The user's input so far. Keeps both lines and bands, so that the shape can be changed back. */
type Draft = {
  readonly title: Signal<string>;
  readonly shape: Signal<"lines" | "band">;
  readonly patterns: Signal<readonly string[]>;
  readonly bands: Signal<readonly CustomBand[]>;
};

function draftOf(chart: CustomChart | null): Draft {
  const { title = "", patterns = [], bands = [] } = chart ?? {};
  return {
    title: signal(title),
    shape: signal(bands.length > 0 ? "band" : "lines"),
    patterns: signal(patterns.length === 0 ? [""] : patterns),
    bands: signal(bands.length === 0 ? [NO_BAND] : bands),
  };
}

/** Returns null if there is nothing to draw yet. */
function chartOf({ title, shape, patterns, bands }: Draft): CustomChart | null {
  const isBand = shape.value === "band";
  const whole = bands.value.filter(({ value, lower, upper }) => value !== "" && lower !== "" && upper !== "");
  const typed = patterns.value.filter((pattern) => pattern !== "");
  if ((isBand ? whole : typed).length === 0) return null;
  return { title: title.value.trim(), patterns: isBand ? [] : typed, bands: isBand ? whole : [] };
}

export function ChartDialog({ place, chart, onClose }: Properties): JSX.Element {
  const words = spoken(customScalarsWords);
  const draft = useMemo(() => draftOf(chart), []);
  useEffect(() => {
    matchTyped(draft.patterns.value);
  }, [draft.patterns.value]);
  useEffect(() => () => matchTyped([]), []);
  const content = chartOf(draft);
  const save = (): void => {
    if (content === null) return;
    // the first chart of a layout also creates a category
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
            disabled={content === null}
            testId="custom-chart-save"
            onClick={save}
          />
        </>
      }
    >
      <Fields draft={draft} autoFocus={chart === null} onEnter={save} />
    </Dialog>
  );
}

type FieldsProperties = { readonly draft: Draft; readonly autoFocus: boolean; readonly onEnter: () => void };

function Fields({ draft: { title, shape, patterns, bands }, autoFocus, onEnter }: FieldsProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const put =
    <T,>(into: Signal<T>) =>
    (value: T): void => {
      into.value = value;
    };
  return (
    <div class="custom-dialog">
      <TextField
        label={words.chartTitle}
        value={title.value}
        autoFocus={autoFocus}
        testId="custom-chart-title"
        onInput={put(title)}
      />
      <Select
        label={words.shape}
        value={shape.value}
        testId="custom-chart-shape"
        options={(["lines", "band"] as const).map((value) => ({ value, label: words.shapes[value] }))}
        onChange={put(shape)}
      />
      {shape.value === "lines" ? (
        <Patterns patterns={patterns.value} onChange={put(patterns)} onEnter={onEnter} />
      ) : (
        <Bands bands={bands.value} onChange={put(bands)} />
      )}
    </div>
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
      {matched.length > 0 && <p class="custom-dialog__matched">{shortList(matched)}</p>}
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

const MOST_MATCHED = 12;

function shortList(tags: readonly string[]): string {
  return `${tags.slice(0, MOST_MATCHED).join(" · ")}${tags.length > MOST_MATCHED ? " …" : ""}`;
}

type PatternFieldProperties = {
  readonly pattern: string;
  readonly onInput: (text: string) => void;
  readonly onEnter: () => void;
};

function PatternField({ pattern, onInput, onEnter }: PatternFieldProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const match = pattern === "" ? undefined : matchOf(pattern);
  const problem = match?.problem ?? null;
  return (
    <TextField
      label={words.pattern}
      bare
      value={pattern}
      placeholder="loss/.*"
      invalid={problem !== null}
      hint={match === undefined ? " " : problem !== null ? explainedText(problem) : words.matching(match.count)}
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

const BAND_FIELDS = ["value", "lower", "upper"] as const;

type Field = { readonly at: number; readonly name: keyof CustomBand };

function Bands({ bands, onChange }: BandsProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  /** The field that a tag clicked in the list is inserted into. */
  const current = useSignal<Field>({ at: 0, name: "value" });
  const set = ({ at, name }: Field, text: string): void =>
    onChange(bands.map((band, i) => (i === at ? { ...band, [name]: text } : band)));
  return (
    <>
      {bands.map((band, at) => (
        <div key={at} class="custom-dialog__row">
          <BandFields band={band} at={at} current={current} onInput={set} />
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
        chosen={bands.flatMap((band) => BAND_FIELDS.map((name) => band[name]))}
        onChoose={(tag) => {
          const { at, name } = current.value;
          set({ at, name }, tag);
          const next = BAND_FIELDS[BAND_FIELDS.indexOf(name) + 1];
          if (next !== undefined) current.value = { at, name: next };
        }}
      />
    </>
  );
}

type BandFieldsProperties = {
  readonly band: CustomBand;
  readonly at: number;
  readonly current: Signal<Field>;
  readonly onInput: (field: Field, text: string) => void;
};

function BandFields({ band, at, current, onInput }: BandFieldsProperties): JSX.Element {
  const words = spoken(customScalarsWords);
  const isCurrent = (name: keyof CustomBand): boolean => current.value.at === at && current.value.name === name;
  return (
    <div class="custom-dialog__band">
      {BAND_FIELDS.map((name) => (
        <div
          key={name}
          class={isCurrent(name) ? "custom-dialog__field--current" : undefined}
          onFocusCapture={() => {
            current.value = { at, name };
          }}
        >
          <TextField
            label={words[name]}
            value={band[name]}
            hint={band[name] !== "" && !knownTags.value.has(band[name]) ? words.unknownTag : undefined}
            testId={`custom-band-${name}`}
            onInput={(text) => onInput({ at, name }, text)}
          />
        </div>
      ))}
    </div>
  );
}
