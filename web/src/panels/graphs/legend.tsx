// What shapes, lines and colours mean.

import type { JSX } from "preact";
import { formatBytes } from "../../base/sizes";
import * as graphsWords from "../../state/texts/graphs";
import { theme } from "../../state/theme";
import { changeView, grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { codeColor, heatColor, mostOf, structureColor, tpuColor } from "./colors";
import { formatMicros } from "./format";
import { OPEN } from "./model/scene";
import { DOES_NOT, FITS } from "./model/tpu";
import { shown, summary } from "./session";
import { palette } from "./use_drawing";
import "./legend.css";

export function Legend(): JSX.Element {
  const words = spoken(graphsWords);
  const { legends } = words;
  const colors = palette.value;
  const box = (color: string, fill = colors.card): JSX.Element => (
    <span class="graph-legend__box" style={{ background: fill, borderColor: colors.border }}>
      {color !== "" && <i style={{ background: color }} />}
    </span>
  );
  const line = (color: string, kind: string): JSX.Element => (
    <span class={`graph-legend__line graph-legend__line--${kind}`} style={{ borderColor: color }} />
  );
  const rows: readonly (readonly [string, JSX.Element])[] = [
    [
      legends.namespace,
      <span key="n" class="graph-legend__box" style={{ background: colors.plain, borderColor: colors.border }}>
        +
      </span>,
    ],
    [legends.op, box("")],
    [legends.placeholder, box(colors.kinds[3] ?? "")],
    [legends.variable, box(colors.kinds[2] ?? "")],
    [legends.call, box(colors.kinds[5] ?? "")],
    [
      legends.series,
      <span
        key="s"
        class="graph-legend__box graph-legend__box--stacked"
        style={{ background: colors.plain, borderColor: colors.border }}
      />,
    ],
    [
      legends.lined,
      <span
        key="l"
        class="graph-legend__box graph-legend__box--lined"
        style={{ background: colors.plain, borderColor: colors.border }}
      />,
    ],
    [legends.constant, <span key="c" class="graph-legend__dot" style={{ borderColor: colors.kinds[1] }} />],
    [
      legends.inputs,
      <span key="i" class="graph-legend__dot" style={{ background: colors.kinds[3], borderColor: colors.kinds[3] }} />,
    ],
    [
      legends.summary,
      <span key="m" class="graph-legend__dot graph-legend__dot--square" style={{ background: colors.kinds[4] }} />,
    ],
    [legends.data, line(colors.line, "data")],
    [legends.control, line(colors.line, "control")],
    [legends.reference, line(colors.reference, "data")],
  ];
  return (
    <section class="graph-legend" aria-label={words.legend} data-testid="graph-legend">
      <header>
        <h3>{words.legendTitle}</h3>
        <Button kind="quiet" icon="close" title={words.close} onClick={() => changeView({ graphsLegend: false })} />
      </header>
      <ul>
        {rows.map(([text, sample]) => (
          <li key={text}>
            <span class="graph-legend__sample">{sample}</span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the colours stand for, always in sight. */
export function ColorKey(): JSX.Element | null {
  const { graphsColor } = view.value;
  const now = shown.value;
  if (now === null || graphsColor === "none") return null;
  return (
    <div class="graph-colors" data-testid="graph-colors">
      <Keys />
    </div>
  );
}

function Keys(): JSX.Element | null {
  const words = spoken(graphsWords);
  const { graphsColor, graphsWithout } = view.value;
  const now = shown.value;
  const facts = summary.value;
  if (now === null || facts === null) return null;
  const swatch = (color: string): JSX.Element => <i class="graph-colors__swatch" style={{ background: color }} />;
  if (graphsColor === "structure") {
    return (
      <>
        <span class="graph-colors__key">
          {swatch(structureColor(0, theme.value))}
          {swatch(structureColor(1, theme.value))}
          {words.legendAlike}
        </span>
        <span class="graph-colors__key">
          {swatch(palette.value.plain)}
          {words.legendUnlike}
        </span>
      </>
    );
  }
  const missing = <span class="graph-colors__key">{words.colorsMissing[graphsColor]}</span>;
  if (graphsColor === "device" || graphsColor === "cluster") {
    if (now.paint[graphsColor] === null) return missing;
    const names = graphsColor === "device" ? facts.devices : facts.clusters;
    return (
      <>
        {names.map((name, code) =>
          name === "" ? null : (
            <span key={name} class="graph-colors__key" title={name}>
              {swatch(codeColor(code, theme.value))}
              {shortDevice(name)}
            </span>
          ),
        )}
        <span class="graph-colors__key">
          {swatch(palette.value.plain)}
          {words.legendNone}
        </span>
      </>
    );
  }
  if (graphsColor === "tpu") {
    const told = now.tpu;
    if (told === null) return missing;
    return (
      <>
        <span class="graph-colors__key">
          {swatch(tpuColor(FITS, theme.value))}
          {words.tpuFits(grouped(told.fit))}
        </span>
        <span class="graph-colors__key" title={words.tpuHint}>
          {swatch(tpuColor(DOES_NOT, theme.value))}
          {words.tpuDoesNot(grouped(told.nodes - told.fit))}
        </span>
      </>
    );
  }
  const values = graphsColor === "time" ? now.paint.micros : now.paint.bytes;
  if (!values.some((value) => value > 0) && graphsWithout.length === 0) return missing;
  const most = mostOf(values, (box) => ((now.scene.flags[box] ?? 0) & OPEN) === 0);
  const told = graphsColor === "time" ? formatMicros(most) : formatBytes(most);
  const ramp = [0, 0.25, 0.5, 0.75, 1].map((share) => heatColor(share, theme.value)).join(", ");
  return (
    <>
      <span class="graph-colors__key">
        0
        <i class="graph-colors__ramp" style={{ background: `linear-gradient(to right, ${ramp})` }} />
        {told}
      </span>
      <span class="graph-colors__key">
        {swatch(palette.value.plain)}
        {words.notMeasured}
      </span>
      {now.statDevices.length > 0 && (
        <fieldset class="graph-colors__devices" aria-label={words.legendDevices}>
          {now.statDevices.map((device) => (
            <Checkbox
              key={device}
              label={shortDevice(device)}
              title={device}
              checked={!graphsWithout.includes(device)}
              onChange={(counts) =>
                changeView({
                  graphsWithout: counts ? graphsWithout.filter((one) => one !== device) : [...graphsWithout, device],
                })
              }
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

/** "/job:worker/replica:0/task:0/device:GPU:0" is known by its end. */
export function shortDevice(device: string): string {
  return device.replace(/^.*\/device:/, "").replace(/^.*\/(?=[a-z]+:\d)/, "") || device;
}
