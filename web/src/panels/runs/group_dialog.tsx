// Colour runs, or draw them as groups, by what a pattern catches in their names or by an hparam; with a preview of the
// groups while one types.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { compilePattern } from "../../base/pattern";
import { BANDS } from "../../state/members/runs";
import { hparamNames, wantHparams } from "../../state/run_columns";
import { passingRuns } from "../../state/run_filter";
import { type Grouped, grouperOf, groupRuns } from "../../state/run_groups";
import { changeView, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import { closeDialog } from "./open_dialogs";

type By = "regex" | "hparam";

function split(text: string): { readonly by: By; readonly what: string } {
  const cut = text.indexOf(":");
  return { by: text.startsWith("hparam:") ? "hparam" : "regex", what: cut < 0 ? "" : text.slice(cut + 1) };
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

function ByDialog({ title, hint, first, testId, onApply, onNone, children }: Properties): JSX.Element {
  const t = texts.value.runs;
  useEffect(wantHparams, []);
  const start = split(first);
  const by = useSignal<By>(start.by);
  const pattern = useSignal(start.by === "regex" ? start.what : "");
  const hparam = useSignal(start.by === "hparam" ? start.what : "");
  const names = hparamNames.value;
  const chosenHparam = hparam.value === "" ? (names[0] ?? "") : hparam.value;
  const trouble = compilePattern(pattern.value);
  const wrong = by.value === "regex" && typeof trouble === "string";
  const key = by.value === "regex" ? `regex:${pattern.value}` : `hparam:${chosenHparam}`;
  const usable = by.value === "regex" ? pattern.value !== "" && !wrong : chosenHparam !== "";
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
        <Select
          label={t.groupsBy}
          value={by.value}
          options={[
            { value: "regex", label: t.byRegex },
            { value: "hparam", label: t.byHparam, disabled: names.length === 0 },
          ]}
          onChange={(one) => (by.value = one)}
        />
        {by.value === "regex" ? (
          <TextField
            label={t.regex}
            value={pattern.value}
            autoFocus
            placeholder="seed_(\d+)"
            invalid={wrong}
            hint={
              by.value === "regex" && typeof trouble === "string" ? texts.value.patterns.troubles[trouble] : t.regexHint
            }
            testId="group-regex"
            onInput={(text) => (pattern.value = text)}
            onEnter={apply}
          />
        ) : (
          <Select
            label={t.hparam}
            value={chosenHparam}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={(name) => (hparam.value = name)}
          />
        )}
        {children}
      </div>
      {by.value === "regex" && <Examples onPick={(text) => (pattern.value = text)} />}
      <Preview by={usable ? key : ""} />
    </Dialog>
  );
}

/** Patterns that make sense for these names: by folder, without the seed, by the first word. */
function Examples({ onPick }: { readonly onPick: (pattern: string) => void }): JSX.Element {
  const t = texts.value.runs;
  const examples = [
    [t.exampleFolder, "^(.+)/[^/]*$"],
    [t.exampleFirst, "^([^/_.\\-]+)"],
    [t.exampleSeed, "^(.*?)[_\\-/.]?(?:seed|s|run|trial)[_\\-=]?\\d+"],
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
