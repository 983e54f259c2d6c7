// Dialog to color or group runs by a pattern on their names or by an hparam, with a live preview of the groups.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { compilePattern } from "../../base/pattern";
import { BANDS } from "../../state/members/runs";
import { differingHparams, hparamNames, wantHparams } from "../../state/run_columns";
import { passingRuns } from "../../state/run_filter";
import { type Grouped, grouperOf, groupRuns } from "../../state/run_groups";
import { groupByAllBut, SEED_PATTERNS, seedHparams } from "../../state/run_seeds";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { closeDialog } from "./open_dialogs";

type By = "regex" | "hparam" | "allBut";

function split(text: string): { readonly by: By; readonly what: string } {
  const what = text.slice(text.indexOf(":") + 1);
  if (text.startsWith("hparam:")) return { by: what.includes(",") ? "allBut" : "hparam", what };
  return { by: "regex", what: text.startsWith("regex:") ? what : "" };
}

type Properties = {
  readonly title: string;
  readonly hint: string;
  readonly first: string;
  readonly testId: string;
  readonly onApply: (by: string) => void;
  readonly onNone: (() => void) | null;
  readonly children?: ComponentChildren;
};

type Choice = {
  readonly by: Signal<By>;
  readonly pattern: Signal<string>;
  readonly hparam: Signal<string>;
  /** The hparam to ignore, for "allBut". */
  readonly ignored: Signal<string>;
};

/** The current choice in the form of the view, whether it is usable, and the error of the pattern. */
function chosenOf({ by, pattern, hparam, ignored }: Choice) {
  if (by.value === "allBut") {
    const name = ignored.value || seedHparams(differingHparams.value)[0] || (differingHparams.value[0] ?? "");
    const key = groupByAllBut(differingHparams.value, new Set([name]));
    return { key: key ?? "", usable: key !== null, hparam: name, trouble: null };
  }
  if (by.value === "hparam") {
    const name = hparam.value === "" ? (hparamNames.value[0] ?? "") : hparam.value;
    return { key: `hparam:${name}`, usable: name !== "", hparam: name, trouble: null };
  }
  const compiled = compilePattern(pattern.value);
  const trouble = typeof compiled === "string" ? compiled : null;
  return { key: `regex:${pattern.value}`, usable: pattern.value !== "" && trouble === null, hparam: "", trouble };
}

function ByDialog({ title, hint, first, testId, onApply, onNone, children }: Properties): JSX.Element {
  const t = texts.value.runs;
  useEffect(wantHparams, []);
  const start = split(first);
  const choice: Choice = {
    by: useSignal<By>(start.by),
    pattern: useSignal(start.by === "regex" ? start.what : ""),
    hparam: useSignal(start.by === "hparam" ? start.what : ""),
    ignored: useSignal(""),
  };
  const { key, usable } = chosenOf(choice);
  const apply = (): void => {
    if (!usable) return;
    onApply(key);
    closeDialog();
  };
  return (
    <Dialog
      title={title}
      onClose={closeDialog}
      testId={testId}
      wide
      actions={
        <>
          {onNone !== null && (
            <Button
              label={t.noGroups}
              kind="quiet"
              title={t.noGroups}
              onClick={() => {
                onNone();
                closeDialog();
              }}
            />
          )}
          <Button label={t.apply} kind="primary" title={t.apply} disabled={!usable} onClick={apply} />
        </>
      }
    >
      <p class="dialog-hint">{hint}</p>
      <div class="dialog-grid">
        <ByFields choice={choice} onEnter={apply} />
        {children}
      </div>
      {choice.by.value === "regex" && <Examples onPick={(text) => (choice.pattern.value = text)} />}
      <Preview by={usable ? key : ""} />
    </Dialog>
  );
}

type FieldsProperties = { readonly choice: Choice; readonly onEnter: () => void };

function ByFields({ choice, onEnter }: FieldsProperties): JSX.Element {
  const t = texts.value.runs;
  const { by, pattern, hparam, ignored } = choice;
  const names = by.value === "allBut" ? differingHparams.value : hparamNames.value;
  const named = by.value === "allBut" ? ignored : hparam;
  const chosen = chosenOf(choice);
  return (
    <>
      <Select
        label={t.groupsBy}
        value={by.value}
        options={[
          { value: "regex", label: t.byRegex },
          { value: "hparam", label: t.byHparam, disabled: hparamNames.value.length === 0 },
          { value: "allBut", label: t.byAllBut, disabled: differingHparams.value.length < 2 },
        ]}
        onChange={(one) => (by.value = one)}
      />
      {by.value === "regex" ? (
        <TextField
          label={t.regex}
          value={pattern.value}
          autoFocus
          placeholder="(.*),seed=\d+"
          invalid={chosen.trouble !== null}
          hint={chosen.trouble === null ? t.regexHint : texts.value.patterns.troubles[chosen.trouble]}
          testId="group-regex"
          onInput={(text) => (pattern.value = text)}
          onEnter={onEnter}
        />
      ) : (
        <Select
          label={by.value === "allBut" ? t.ignoredHparam : t.hparam}
          value={chosen.hparam}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={(name) => (named.value = name)}
        />
      )}
    </>
  );
}

/** Example patterns for the names of this board: by folder, without the seed, by the first word. */
function Examples({ onPick }: { readonly onPick: (pattern: string) => void }): JSX.Element {
  const t = texts.value.runs;
  const examples = [
    [t.exampleFolder, "^(.+)/[^/]*$"],
    [t.exampleFirst, "^([^/_.\\-]+)"],
    ...SEED_PATTERNS.map((pattern) => [t.exampleSeed, pattern] as const),
  ] as const;
  const useful = examples.filter(([, pattern]) => {
    const by = grouperOf(`regex:${pattern}`);
    if (by === null) return false;
    const { groups } = groupRuns(passingRuns.value.slice(0, 500), by);
    return groups.length > 1 && groups.some((group) => group.runs.length > 1);
  });
  return (
    <div class="group-dialog__examples">
      {useful.map(([label, pattern]) => (
        <Button key={pattern} label={label} kind="plain" title={pattern} onClick={() => onPick(pattern)} />
      ))}
    </div>
  );
}

const GROUPS_SHOWN = 50;
const RUNS_SHOWN = 5;

function Preview({ by }: { readonly by: string }): JSX.Element | null {
  const t = texts.value.runs;
  const grouper = grouperOf(by);
  if (grouper === null) return null;
  const { groups, rest } = groupRuns(passingRuns.value, grouper);
  return (
    <div class="group-preview" data-testid="group-preview">
      <p class="group-preview__summary">{t.groupSummary(groups.length, rest.length)}</p>
      {groups.slice(0, GROUPS_SHOWN).map((group) => (
        <PreviewGroup key={group.label} label={group.label} runs={group.runs} />
      ))}
      {rest.length > 0 && <PreviewGroup label={t.notMatched} runs={rest} />}
    </div>
  );
}

function PreviewGroup({ label, runs }: Grouped): JSX.Element {
  const t = texts.value.runs;
  return (
    <div class="group-preview__group">
      <strong class="group-preview__label">{label}</strong>
      <span class="group-preview__runs">
        {runs.slice(0, RUNS_SHOWN).join("  ·  ")}
        {runs.length > RUNS_SHOWN && ` ${t.andMore(runs.length - RUNS_SHOWN)}`}
      </span>
    </div>
  );
}

export function ColorByDialog(): JSX.Element {
  const t = texts.value.runs;
  return (
    <ByDialog
      title={t.colorByTitle}
      hint={t.colorByHint}
      first={view.value.colorBy}
      testId="color-by-dialog"
      onApply={(colorBy) => changeView({ colorBy })}
      onNone={view.value.colorBy === "run" ? null : () => changeView({ colorBy: "run" })}
    />
  );
}

export function GroupDialog(): JSX.Element {
  const t = texts.value.runs;
  const band = useSignal(view.value.band);
  return (
    <ByDialog
      title={t.groupTitle}
      hint={t.groupHint}
      first={view.value.group}
      testId="group-dialog"
      onApply={(group) => changeView({ group, band: band.value })}
      onNone={view.value.group === "" ? null : () => changeView({ group: "" })}
    >
      <Select
        label={t.band}
        value={band.value}
        options={BANDS.map((one) => ({ value: one, label: t.bands[one] }))}
        onChange={(one) => (band.value = one)}
      />
    </ByDialog>
  );
}
