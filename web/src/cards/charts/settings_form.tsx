// Settings of charts: the same form for all charts, one section or one card.

import type { JSX } from "preact";
import {
  BOARD,
  changeSettings,
  isOverridden,
  ownSettings,
  resetSettings,
  type Scope,
  settingsIn,
} from "../../state/scopes";
import { type ChartSettings, MARKERS, REWINDS, SCALES, SMOOTHERS, smoothingQuestion } from "../../state/settings";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import "./settings_form.css";
import { XAxisChoice } from "./x_axis_choice";

type Properties = {
  readonly scope: Scope;
  /** Heading of the form; the drawer has its own. */
  readonly title?: string;
  /** Test id; tests and shortcuts find the slider of the whole board by it. */
  readonly smoothingTestId?: string;
};

function options<const V extends string>(values: readonly V[], labels: Readonly<Record<V, string>>) {
  return values.map((value) => ({ value, label: labels[value] }));
}

export function SettingsForm({ scope, title, smoothingTestId }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const own = ownSettings(scope);
  const form: Form = {
    scope,
    settings: settingsIn(scope),
    set: (change) => changeSettings(scope, change),
    mark: (name) => (scope.kind !== "board" && name in own ? "settings-form__own" : ""),
  };
  return (
    <div class={title === undefined ? "settings-form" : "settings-form settings-form--box"}>
      {title !== undefined && <h4 class="settings-form__title">{title}</h4>}
      <AxesSettings {...form} />
      <SmoothingSettings {...form} testId={smoothingTestId} />
      <LineSettings {...form} />
      {scope.kind !== "board" && (
        <Button
          label={words.resetScope}
          title={words.resetScope}
          icon="reset"
          disabled={!isOverridden(scope)}
          onClick={() => resetSettings(scope)}
        />
      )}
    </div>
  );
}

type Form = {
  readonly scope: Scope;
  readonly settings: ChartSettings;
  readonly set: (change: Partial<ChartSettings>) => void;
  /** Returns a dot for settings that this section or card overrides. */
  readonly mark: (name: keyof ChartSettings) => string;
};

function AxesSettings({ scope, settings, set, mark }: Form): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <fieldset>
      <legend>{words.headings.axes}</legend>
      <div class={mark("x")}>
        <XAxisChoice scope={scope} />
      </div>
      <div class="settings-form__pair">
        <div class={mark("xScale")}>
          <Select
            label={words.xScale}
            value={settings.xScale}
            options={options(SCALES, words.scales)}
            onChange={(xScale) => set({ xScale })}
          />
        </div>
        <div class={mark("yScale")}>
          <Select
            label={words.yScale}
            value={settings.yScale}
            options={options(SCALES, words.scales)}
            onChange={(yScale) => set({ yScale })}
          />
        </div>
      </div>
      <div class={mark("ignoreOutliers")}>
        <Checkbox
          label={words.ignoreOutliers}
          checked={settings.ignoreOutliers}
          onChange={(ignoreOutliers) => set({ ignoreOutliers })}
        />
      </div>
    </fieldset>
  );
}

function SmoothingSettings({
  scope,
  settings,
  set,
  mark,
  testId,
}: Form & { readonly testId?: string | undefined }): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <fieldset>
      <legend>{words.headings.smoothing}</legend>
      <div class={mark("smoothing")}>
        <SmoothingSlider scope={scope} testId={testId} />
      </div>
      <div class={mark("smoother")}>
        <Select
          label={words.smoother}
          value={settings.smoother}
          options={options(SMOOTHERS, words.smoothers)}
          onChange={(smoother) => set({ smoother })}
        />
      </div>
      <div class={mark("faint")}>
        <Checkbox label={words.faint} checked={settings.faint} onChange={(faint) => set({ faint })} />
      </div>
    </fieldset>
  );
}

function LineSettings({ settings, set, mark }: Form): JSX.Element {
  const words = texts.value.timeseries;
  return (
    <fieldset>
      <legend>{words.headings.lines}</legend>
      <div class={mark("markers")}>
        <Select
          label={words.markers}
          value={settings.markers}
          options={options(MARKERS, words.markerKinds)}
          onChange={(markers) => set({ markers })}
        />
      </div>
      <div class={mark("rewinds")}>
        <Select
          label={words.rewinds}
          value={settings.rewinds}
          options={options(REWINDS, words.rewindKinds)}
          onChange={(rewinds) => set({ rewinds })}
        />
      </div>
      <div class={mark("partition")}>
        <Checkbox label={words.partition} checked={settings.partition} onChange={(partition) => set({ partition })} />
      </div>
      <div class={mark("edgeMarks")}>
        <Checkbox label={words.edgeMarks} checked={settings.edgeMarks} onChange={(edgeMarks) => set({ edgeMarks })} />
      </div>
    </fieldset>
  );
}

type SmoothingProperties = { readonly scope?: Scope; readonly testId?: string | undefined; readonly bare?: boolean };

export function SmoothingSlider({ scope = BOARD, testId, bare = false }: SmoothingProperties): JSX.Element {
  const words = texts.value.timeseries;
  const settings = settingsIn(scope);
  const window = /^(?:gaussian|mean|median):(\d+)/.exec(smoothingQuestion(settings));
  return (
    <>
      <Slider
        label={words.smoothing}
        bare={bare}
        value={settings.smoothing}
        min={0}
        max={0.99}
        step={0.01}
        numberField={{ max: 0.999, step: 0.001 }}
        testId={testId}
        onInput={(smoothing) => changeSettings(scope, { smoothing })}
      />
      {!bare && window !== null && <span class="settings-form__note">{words.window(Number(window[1]))}</span>}
    </>
  );
}
