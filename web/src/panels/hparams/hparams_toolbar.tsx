// The toolbar: view, which value of a metric is used, handling of repeats, colors, downloads.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { ViewPopover } from "../../cards/view_popover";
import { colorColumn, listed, metricColumns, RUN_COLORS } from "../../state/hparams";
import { narrow, narrowPane } from "../../state/layout";
import { HPARAMS_REPEATS, HPARAMS_SPREADS, HPARAMS_VALUES, HPARAMS_VIEWS } from "../../state/members/hparams";
import { trials, trialsBusy } from "../../state/trials";
import { dullness, splitMetric } from "../../state/trials_columns";
import { changeView, member } from "../../state/view";
import { Button } from "../../widgets/button";
import { Choice } from "../../widgets/choice";
import { Menu } from "../../widgets/menu";
import { NumberField } from "../../widgets/number_field";
import { Select } from "../../widgets/select";
import { AbsentDialog } from "./absent_dialog";
import { downloadItems } from "./downloads";
import { columnTitle, words } from "./words";

const shownView = member("hparamsView");
const value = member("hparamsValue");
const step = member("hparamsStep");
const by = member("hparamsBy");
const repeats = member("hparamsRepeats");
const spread = member("hparamsSpread");
const pane = member("hparamsPane");

export function HparamsToolbar(): JSX.Element {
  const t = words();
  const pictured = shownView.value === "parallel" || shownView.value === "scatter";
  return (
    <div class="hparams-toolbar" role="toolbar" aria-label={t.title}>
      <Button
        icon="columns"
        title={t.pane}
        pressed={narrow.value ? narrowPane.value : pane.value}
        testId="hparams-pane-toggle"
        onClick={togglePane}
      />
      <Choice
        label={t.view}
        value={shownView.value}
        options={HPARAMS_VIEWS.map((one) => ({ value: one, label: t.shortViews[one], title: t.views[one] }))}
        testId="hparams-view"
        onChoose={(hparamsView) => changeView({ hparamsView }, { entry: true })}
      />
      <ValueChoices />
      {pictured && <ColorChoice />}
      <span class="hparams-toolbar__end">
        <span class="hparams-toolbar__busy" role="status" data-testid="hparams-busy">
          {trialsBusy.value && <i>{t.computing}</i>}
        </span>
        <Count />
        <Absent />
        <Menu
          label={t.download}
          icon="download"
          kind="plain"
          showLabel
          items={downloadItems()}
          testId="hparams-download"
        />
        <ViewPopover>
          <RepeatChoices />
        </ViewPopover>
      </span>
    </div>
  );
}

function togglePane(): void {
  if (narrow.value) narrowPane.value = !narrowPane.value;
  else changeView({ hparamsPane: !pane.value });
}

/** Chooses which value of a metric is used. */
function ValueChoices(): JSX.Element {
  const t = words();
  return (
    <>
      <Select
        label={t.value}
        value={value.value}
        testId="hparams-value"
        options={HPARAMS_VALUES.map((one) => ({ value: one, label: t.values[one] }))}
        onChange={(hparamsValue) => {
          // default: the first metric column
          const first = hparamsValue === "by" && by.value === "" ? (metricColumns.value[0]?.id ?? "") : by.value;
          changeView({ hparamsValue, hparamsBy: first });
        }}
      />
      {value.value === "by" && <ByChoice />}
      {value.value === "at" && (
        <NumberField
          label={t.step}
          value={step.value === "" ? null : Number(step.value)}
          optional
          testId="hparams-step"
          onChange={(at) => changeView({ hparamsStep: at === null ? "" : String(Math.round(at)) })}
        />
      )}
    </>
  );
}

/** How repeats are combined. */
function RepeatChoices(): JSX.Element {
  const t = words();
  const several = trials.value?.repeated === true || repeats.value === "same";
  return (
    <>
      <Select
        label={t.repeats}
        value={repeats.value}
        testId="hparams-repeats"
        options={HPARAMS_REPEATS.map((one) => ({ value: one, label: t.repeatsOf[one] }))}
        onChange={(hparamsRepeats) => changeView({ hparamsRepeats })}
      />
      {several && (
        <Select
          label={t.spread}
          value={spread.value}
          testId="hparams-spread"
          options={HPARAMS_SPREADS.map((one) => ({ value: one, label: t.spreads[one] }))}
          onChange={(hparamsSpread) => changeView({ hparamsSpread })}
        />
      )}
    </>
  );
}

/** Chooses the metric whose best step is used; it need not be a column. */
function ByChoice(): JSX.Element {
  const t = words();
  const known = metricColumns.value.map((column) => ({ value: column.id, label: columnTitle(column) }));
  const others = (trials.value?.otherMetrics ?? []).map((id) => {
    const { tag, group } = splitMetric(id);
    return { value: id, label: group === "" ? tag : `${group}/${tag}` };
  });
  const all = [...known, ...others];
  const named = by.value === "" || all.some((one) => one.value === by.value);
  return (
    <Select
      label={t.by}
      bare
      value={by.value}
      testId="hparams-by"
      options={named ? all : [{ value: by.value, label: splitMetric(by.value).tag }, ...all]}
      onChange={(hparamsBy) => changeView({ hparamsBy })}
    />
  );
}

function ColorChoice(): JSX.Element {
  const t = words();
  const all = (trials.value?.columns ?? []).filter(({ role }) => role !== "fact");
  const metrics = all.filter(({ role }) => role === "metric");
  const hparams = all.filter(({ role }) => role === "hparam");
  return (
    <Select
      label={t.color}
      value={colorColumn.value?.id ?? RUN_COLORS}
      testId="hparams-color"
      options={[
        { value: RUN_COLORS, label: t.runColors },
        ...[...metrics, ...hparams].map((column) => {
          const dull = dullness(column);
          return {
            value: column.id,
            label: dull === null ? columnTitle(column) : `${columnTitle(column)} (${t.dull[dull]})`,
            disabled: dull === "empty" && colorColumn.value !== column,
          };
        }),
      ]}
      onChange={(hparamsColor) => changeView({ hparamsColor })}
    />
  );
}

function Count(): JSX.Element {
  const t = words();
  const all = trials.value?.count ?? 0;
  const some = listed.value.length;
  return (
    <span class="hparams-toolbar__count" data-testid="trial-count" role="status">
      {some === all ? t.count(all) : t.countOf(some, all)}
    </span>
  );
}

function Absent(): JSX.Element | null {
  const t = words();
  const open = useSignal(false);
  const total = trials.value?.absentTotal ?? 0;
  const mark = useRef<HTMLSpanElement>(null);
  if (total === 0) return null;
  return (
    <span ref={mark}>
      <Button
        kind="quiet"
        icon="help"
        label={t.absent(total)}
        title={t.absentShort}
        testId="hparams-absent"
        onClick={() => {
          open.value = true;
        }}
      />
      {open.value && (
        <AbsentDialog
          onClose={() => {
            open.value = false;
          }}
        />
      )}
    </span>
  );
}
