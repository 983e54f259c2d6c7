// A chart as a component: synchronizes a canvas, its data and its size with the properties, and listens to gestures.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { openChart } from "./chart";
import { ChartFrame, useHint } from "./chart_frame";
import type { Boxed, Zoom } from "./gestures";
import { layoutOf } from "./layout";
import { type Hover, listenTo, type Now } from "./pointer";
import type { UnsizedScene } from "./scene";
import { type Size, watchSize } from "./sizes";
import type { Chart, Selection } from "./types";
import "./line_chart.css";

export type { Hover } from "./pointer";

export type LineChartProps = {
  readonly scene: UnsizedScene;
  readonly chartRef?: (chart: Chart | null) => void;
  /** For screen readers: what is shown, and that arrow keys move it. */
  readonly label: string;
  /** Layers with a new id are added, missing ones removed. The buffers are copied; the caller keeps them. */
  readonly layersSource: readonly { readonly id: number; readonly buffer: ArrayBuffer }[];
  /** null resets an axis, undefined leaves it as it is. Called at most once per frame during a gesture. */
  readonly onZoom: (x: Zoom, y: Zoom) => void;
  readonly onGestureEnd: () => void;
  readonly onHover: (hover: Hover | null) => void;
  readonly onClick: (hover: Hover, event: MouseEvent) => void;
  /** Handles of the selection were dragged. */
  readonly onSelection?: (selection: Selection | null) => void;
  /** Shown for a moment if the user turns the wheel without a modifier key. */
  readonly hint?: string;
};

export function LineChart(props: LineChartProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [box, setBox] = useState<Boxed | null>(null);
  const hint = useHint();

  const now = useRef<Now>(() => null);
  now.current = () => {
    if (size === null) return null;
    const scene = { ...props.scene, ...size };
    const onPlainWheel = (): void => {
      if (props.hint !== undefined) hint.show();
    };
    return { scene, layout: layoutOf(scene), handlers: { ...props, onBox: setBox, onPlainWheel } };
  };

  // one canvas for the lifetime of the component: it can be transferred to the worker only once
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const canvas = document.createElement("canvas");
    element.prepend(canvas);
    chart.current = openChart(canvas);
    const unwatch = watchSize(canvas, setSize);
    const unlisten = listenTo(element, () => now.current());
    props.chartRef?.(chart.current);
    return () => {
      props.chartRef?.(null);
      unlisten();
      unwatch();
      chart.current?.close();
      chart.current = null;
      canvas.remove();
    };
  }, []);
  useDrawing(chart, props, size);

  const text = hint.visible ? (props.hint ?? null) : null;
  return <ChartFrame frame={frame} label={props.label} box={box} hint={text} />;
}

/** Sends new layers and scenes to the chart, and removes layers that no longer exist. */
function useDrawing(
  chart: { readonly current: Chart | null },
  { scene, layersSource }: LineChartProps,
  size: Size | null,
): void {
  /** Ids of the layers that the chart has. */
  const added = useRef(new Set<number>());
  const drawn = useRef<{ scene: LineChartProps["scene"]; size: Size } | null>(null);
  useLayoutEffect(() => {
    const open = chart.current;
    if (open === null) return;
    const ids = new Set(layersSource.map(({ id }) => id));
    for (const { id, buffer } of layersSource) {
      if (added.current.has(id)) continue;
      added.current.add(id);
      open.addLayer(id, buffer.slice(0));
    }
    if (size !== null && (drawn.current?.scene !== scene || drawn.current.size !== size)) {
      drawn.current = { scene, size };
      open.draw({ ...scene, ...size });
    }
    for (const id of added.current) {
      if (ids.has(id)) continue;
      added.current.delete(id);
      open.removeLayer(id);
    }
  });
}
