// Legend of shapes, lines and colors.

import type { ComponentChildren, JSX } from "preact";
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
  return (
    <section class="graph-legend" aria-label={words.legend} data-testid="graph-legend">
      <header>
        <h3>{words.legendTitle}</h3>
        <Button kind="quiet" icon="close" title={words.close} onClick={() => changeView({ graphsLegend: false })} />
      </header>
      <ul>
        {samples().map(([text, sample]) => (
          <li key={text}>
            <span class="graph-legend__sample">{sample}</span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function samples(): readonly (readonly [string, JSX.Element])[] {
  const { legends } = spoken(graphsWords);
  const { plain, card, border, kinds, line, reference } = palette.value;
  return [
    [legends.namespace, <BoxSample key="namespace" fill={plain} border={border} text="+" />],
    [legends.op, <BoxSample key="op" fill={card} border={border} />],
    [legends.placeholder, <BoxSample key="placeholder" fill={card} border={border} stripe={kinds[3]} />],
    [legends.variable, <BoxSample key="variable" fill={card} border={border} stripe={kinds[2]} />],
    [legends.call, <BoxSample key="call" fill={card} border={border} stripe={kinds[5]} />],
    [legends.series, <BoxSample key="series" fill={plain} border={border} kind="stacked" />],
    [legends.lined, <BoxSample key="lined" fill={plain} border={border} kind="lined" />],
    [legends.constant, <DotSample key="constant" border={kinds[1]} />],
    [legends.inputs, <DotSample key="inputs" fill={kinds[3]} border={kinds[3]} />],
    [legends.summary, <DotSample key="summary" fill={kinds[4]} square />],
    [legends.data, <LineSample key="data" color={line} kind="data" />],
    [legends.control, <LineSample key="control" color={line} kind="control" />],
    [legends.reference, <LineSample key="reference" color={reference} kind="data" />],
  ];
}

type BoxSampleProps = {
  readonly fill: string;
  readonly border: string;
  readonly stripe?: string | undefined;
  readonly kind?: "stacked" | "lined";
  readonly text?: string;
};

function BoxSample({ fill, border, stripe = "", kind, text }: BoxSampleProps): JSX.Element {
  const name = "graph-legend__box";
  return (
    <span
      class={kind === undefined ? name : `${name} ${name}--${kind}`}
      style={{ background: fill, borderColor: border }}
    >
      {stripe !== "" && <i style={{ background: stripe }} />}
      {text}
    </span>
  );
}

type DotSampleProps = {
  readonly fill?: string | undefined;
  readonly border?: string | undefined;
  readonly square?: boolean;
};

function DotSample({ fill, border, square = false }: DotSampleProps): JSX.Element {
  return (
    <span
      class={square ? "graph-legend__dot graph-legend__dot--square" : "graph-legend__dot"}
      style={{ background: fill, borderColor: border }}
    />
  );
}

function LineSample({ color, kind }: { readonly color: string; readonly kind: "data" | "control" }): JSX.Element {
  return <span class={`graph-legend__line graph-legend__line--${kind}`} style={{ borderColor: color }} />;
}

/** Legend of the colors; always visible. */
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
  if (now === null || facts === null || graphsColor === "none") return null;
  if (graphsColor === "structure") return <StructureKeys />;
  const missing = <span class="graph-colors__key">{words.colorsMissing[graphsColor]}</span>;
  switch (graphsColor) {
    case "device":
      return now.paint.device === null ? missing : <NamedKeys names={facts.devices} />;
    case "cluster":
      return now.paint.cluster === null ? missing : <NamedKeys names={facts.clusters} />;
    case "tpu":
      return now.tpu === null ? missing : <TpuKeys fit={now.tpu.fit} nodes={now.tpu.nodes} />;
    case "time":
    case "memory": {
      const values = graphsColor === "time" ? now.paint.micros : now.paint.bytes;
      if (!values.some((value) => value > 0) && graphsWithout.length === 0) return missing;
      const most = mostOf(values, (box) => ((now.scene.flags[box] ?? 0) & OPEN) === 0);
      return (
        <>
          <HeatKeys most={graphsColor === "time" ? formatMicros(most) : formatBytes(most)} />
          <MeasuredDevices devices={now.statDevices} />
        </>
      );
    }
  }
}

function Swatch({ color }: { readonly color: string }): JSX.Element {
  return <i class="graph-colors__swatch" style={{ background: color }} />;
}

type KeyProps = { readonly color: string; readonly title?: string; readonly children: ComponentChildren };

function Key({ color, title, children }: KeyProps): JSX.Element {
  return (
    <span class="graph-colors__key" title={title}>
      <Swatch color={color} />
      {children}
    </span>
  );
}

function StructureKeys(): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <>
      <span class="graph-colors__key">
        <Swatch color={structureColor(0, theme.value)} />
        <Swatch color={structureColor(1, theme.value)} />
        {words.legendAlike}
      </span>
      <Key color={palette.value.plain}>{words.legendUnlike}</Key>
    </>
  );
}

/** Devices or clusters; the index of a name is its code. */
function NamedKeys({ names }: { readonly names: readonly string[] }): JSX.Element {
  return (
    <>
      {names.map((name, code) =>
        name === "" ? null : (
          <Key key={name} color={codeColor(code, theme.value)} title={name}>
            {shortDevice(name)}
          </Key>
        ),
      )}
      <Key color={palette.value.plain}>{spoken(graphsWords).legendNone}</Key>
    </>
  );
}

function TpuKeys({ fit, nodes }: { readonly fit: number; readonly nodes: number }): JSX.Element {
  const words = spoken(graphsWords);
  return (
    <>
      <Key color={tpuColor(FITS, theme.value)}>{words.tpuFits(grouped(fit))}</Key>
      <Key color={tpuColor(DOES_NOT, theme.value)} title={words.tpuHint}>
        {words.tpuDoesNot(grouped(nodes - fit))}
      </Key>
    </>
  );
}

function HeatKeys({ most }: { readonly most: string }): JSX.Element {
  const ramp = [0, 0.25, 0.5, 0.75, 1].map((share) => heatColor(share, theme.value)).join(", ");
  return (
    <>
      <span class="graph-colors__key">
        0
        <i class="graph-colors__ramp" style={{ background: `linear-gradient(to right, ${ramp})` }} />
        {most}
      </span>
      <Key color={palette.value.plain}>{spoken(graphsWords).notMeasured}</Key>
    </>
  );
}

/** Chooses the devices whose times and memory are used. */
function MeasuredDevices({ devices }: { readonly devices: readonly string[] }): JSX.Element | null {
  const { graphsWithout } = view.value;
  if (devices.length === 0) return null;
  return (
    <fieldset class="graph-colors__devices" aria-label={spoken(graphsWords).legendDevices}>
      {devices.map((device) => (
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
  );
}

/** Returns the short name of a device: "GPU:0" for "/job:worker/replica:0/task:0/device:GPU:0". */
export function shortDevice(device: string): string {
  return device.replace(/^.*\/device:/, "").replace(/^.*\/(?=[a-z]+:\d)/, "") || device;
}
