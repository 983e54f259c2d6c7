// All settings of the time series page, for the drawer at the right.

import type { JSX } from "preact";
import { SettingsForm } from "../../cards/charts/settings_form";
import { StepMark } from "../../cards/charts/step_mark";
import { BANDS } from "../../state/members/runs";
import { LEGENDS, TOOLTIP_ORDERS } from "../../state/members/timeseries";
import { BOARD } from "../../state/scopes";
import { changeView, DEFAULT_VIEW, texts, type View, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { NumberField } from "../../widgets/number_field";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";

import { kindsThere } from "./beside";

type Flag = "linkZoom" | "linkCrosshair" | "shareY" | "hideEmpty";

function Switch({ name, label }: { readonly name: Flag; readonly label: string }): JSX.Element {
  return (
    <Checkbox
      label={label}
      checked={view.value[name]}
      onChange={(on) => changeView({ [name]: on } as Pick<View, Flag>)}
    />
  );
}

function setStepTable(stepTable: boolean): void {
  changeView(stepTable ? { stepTable } : { stepTable, steps: null });
}

export function SettingsPane(): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <div class="settings-form" data-testid="timeseries-settings">
      <SettingsForm scope={BOARD} smoothingTestId="smoothing-pane" />
      <div class="settings-form">
        <TooltipSettings />
        <fieldset>
          <legend>{words.headings.steps}</legend>
          <Checkbox
            label={words.stepSelection}
            checked={view.value.stepTable}
            testId="step-table"
            onChange={setStepTable}
          />
          <StepMark />
        </fieldset>
        {kindsThere.value.map(({ kind, title, settings: Settings }) => (
          <fieldset key={kind} data-testid={`${kind}-settings`}>
            <legend>{title()}</legend>
            <Settings />
          </fieldset>
        ))}
        <CardSettings />
      </div>
    </div>
  );
}

function TooltipSettings(): JSX.Element {
  const words = texts.value.timeseries;
  const { tooltipOrder, tooltipRows } = view.value;
  return (
    <fieldset>
      <legend>{words.headings.tooltip}</legend>
      <Select
        label={words.tooltipOrder}
        value={tooltipOrder}
        options={TOOLTIP_ORDERS.map((value) => ({ value, label: words.tooltipOrders[value] }))}
        onChange={(order) => changeView({ tooltipOrder: order })}
      />
      <NumberField
        label={words.tooltipRows}
        value={tooltipRows}
        min={0}
        max={1000}
        step={1}
        onChange={(rows) => rows !== null && changeView({ tooltipRows: Math.round(rows) })}
      />
      <Switch name="linkCrosshair" label={words.linkCrosshair} />
    </fieldset>
  );
}

function CardSettings(): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <fieldset>
      <legend>{words.headings.cards}</legend>
      <Switch name="linkZoom" label={words.linkZoom} />
      <Switch name="shareY" label={words.shareY} />
      <Switch name="hideEmpty" label={words.hideEmpty} />
      <Select
        label={words.legend}
        value={view.value.legend}
        options={LEGENDS.map((value) => ({ value, label: words.legends[value] }))}
        onChange={(legend) => changeView({ legend })}
      />
      <Select
        label={words.sectionBy}
        value={view.value.sectionBy}
        options={(["first", "last"] as const).map((value) => ({ value, label: words.sectionKinds[value] }))}
        onChange={(sectionBy) => changeView({ sectionBy, closed: [], opened: [] })}
      />
      <Select
        label={words.band}
        value={view.value.band}
        options={BANDS.map((value) => ({ value, label: words.bands[value] }))}
        onChange={(band) => changeView({ band })}
      />
      <CardSize />
    </fieldset>
  );
}

const LEAST_WIDTH_PX = 280;

function CardSize(): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <>
      <Slider
        label={words.cardWidth}
        value={view.value.cardWidth || LEAST_WIDTH_PX}
        min={LEAST_WIDTH_PX}
        max={1000}
        step={20}
        numberField={{ max: 1600, step: 20 }}
        testId="card-width"
        onInput={(cardWidth) => changeView({ cardWidth: Math.round(cardWidth) })}
      />
      <Slider
        label={words.cardHeight}
        value={view.value.cardHeight}
        min={160}
        max={800}
        step={20}
        numberField={{ max: 1200, step: 20 }}
        testId="card-height"
        onInput={(cardHeight) => changeView({ cardHeight: Math.round(cardHeight) })}
      />
      <Button
        label={words.resetSize}
        title={words.resetSize}
        onClick={() => changeView({ cardWidth: DEFAULT_VIEW.cardWidth, cardHeight: DEFAULT_VIEW.cardHeight })}
      />
    </>
  );
}
