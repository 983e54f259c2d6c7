// Chooses the x axis: step, time or another metric.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { scalarTags } from "../../state/cards";
import { BOARD, changeSettings, type Scope, settingsIn } from "../../state/scopes";
import { texts } from "../../state/view";
import { Popover } from "../../widgets/popover";
import { Select } from "../../widgets/select";
import { TagPicker } from "./tag_picker";

const METRIC = "metric:";
const OTHER = "other";

type Properties = { readonly scope?: Scope; readonly bare?: boolean; readonly testId?: string };

export function XAxisChoice({ scope = BOARD, bare = false, testId }: Properties): JSX.Element {
  const words = texts.value.timeseries;
  const choosing = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  const { x } = settingsIn(scope);
  const kinds = (["step", "relative", "wall"] as const).map((kind) => ({
    value: kind as string,
    label: words.xKinds[kind],
  }));
  const metric = x.startsWith(METRIC) ? [{ value: x, label: words.xMetricOf(x.slice(METRIC.length)) }] : [];
  return (
    <div ref={place} class="x-axis-choice">
      <Select
        label={words.x}
        bare={bare}
        value={x}
        testId={testId}
        options={[...kinds, ...metric, { value: OTHER, label: words.xMetric }]}
        onChange={(chosen) => {
          if (chosen === OTHER) choosing.value = true;
          else changeSettings(scope, { x: chosen });
        }}
      />
      {choosing.value && place.current !== null && (
        <Popover
          anchor={place.current}
          label={words.chooseMetric}
          onClose={() => {
            choosing.value = false;
          }}
        >
          <TagPicker
            label={words.chooseMetric}
            tags={scalarTags.value}
            chosen={[]}
            onChoose={(tag) => {
              choosing.value = false;
              changeSettings(scope, { x: `${METRIC}${tag}` });
            }}
          />
        </Popover>
      )}
    </div>
  );
}
