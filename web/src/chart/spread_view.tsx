// A chart of histograms or percentiles as a component: synchronizes canvas, data and size with the properties, and
// converts gestures to ranges of values and of time.

import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ChartFrame, useHint } from "./chart_frame";
import type { Boxed, Zoom } from "./gestures";
import "./line_chart.css";
import { type Hover, listenTo, type Now } from "./pointer";
import { type Size, watchSize } from "./sizes";
import { openSpread, type SpreadChart } from "./spread";
import { spreadLayout } from "./spread_plan";
import type { SpreadAxes, SpreadData, SpreadDrawn, SpreadLook, SpreadPick, SpreadScene } from "./spread_types";

export type { Hover } from "./pointer";

export type SpreadViewProps = {
  readonly scene: Omit<SpreadScene, "widthPx" | "heightPx" | "ratio" | "pointed">;
  /** Compared by identity: a new object means new data. */
  readonly data: SpreadData;
  /** The selected step as text, as an attribute of the canvas; "" for none. */
  readonly step: string;
  readonly label: string;
  readonly hint: string;
  readonly chartRef?: (chart: SpreadChart | null, size: Size | null) => void;
  /** null: the whole range; undefined: no change. */
  readonly onZoom: (values: Zoom, times: Zoom) => void;
  readonly onPoint: (pick: SpreadPick | null, hover: Hover | null) => void;
  readonly onClick: (pick: SpreadPick) => void;
  readonly onDrawn?: (drawn: SpreadDrawn) => void;
};

export function SpreadView(props: SpreadViewProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<SpreadChart | null>(null);
  const axes = useRef<SpreadAxes | null>(null);
  const [size, setSize] = useState<Size | null>(null);
  const [box, setBox] = useState<Boxed | null>(null);
  const hint = useHint();
  const latest = useRef(props);
  latest.current = props;
  const pointing = usePointing(chart, latest);

  const now = useRef<Now>(() => null);
  now.current = () => {
    const shown = axes.current;
    if (size === null || shown === null) return null;
    const { font, locale } = props.scene;
    const scene = { ...size, font, locale, x: shown.x, y: shown.y, selection: null };
    const handlers = { ...handlersOf(props, pointing), onBox: setBox, onPlainWheel: hint.show };
    return { scene, layout: spreadLayout(scene, shown), handlers };
  };

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const canvas = document.createElement("canvas");
    element.prepend(canvas);
    chart.current = openSpread(canvas, (drawn) => {
      axes.current = drawn.axes;
      canvas.dataset.step = latest.current.step;
      latest.current.onDrawn?.(drawn);
    });
    const unwatch = watchSize(canvas, setSize);
    const unlisten = listenTo(element, () => now.current());
    return () => {
      latest.current.chartRef?.(null, null);
      pointing.leave();
      unlisten();
      unwatch();
      chart.current?.close();
      chart.current = null;
      canvas.remove();
    };
  }, []);
  useDrawing(chart, props, size, pointing.pointed);

  return <ChartFrame frame={frame} label={props.label} box={box} hint={hint.visible ? props.hint : null} />;
}

function handlersOf({ scene, onZoom }: SpreadViewProps, pointing: Pointing) {
  return {
    onZoom: (x: Zoom, y: Zoom): void => {
      // a double-click: cancel the action of its first click
      if (x === null && y === null) pointing.dropClick();
      const { values, times } = turned(scene.look, x, y);
      onZoom(values, times);
    },
    onGestureEnd: (): void => {},
    onHover: pointing.point,
    onClick: pointing.click,
  };
}

type ChartRef = { readonly current: SpreadChart | null };

type Pointing = {
  /** The index in the data under the pointer; null for none. */
  readonly pointed: number | null;
  readonly point: (hover: Hover | null) => void;
  readonly click: (hover: Hover) => void;
  /** Ignores the response to a pending click. */
  readonly dropClick: () => void;
  readonly leave: () => void;
};

/** Requests what is under the pointer from the worker. Only the response to the newest request is used. */
function usePointing(chart: ChartRef, latest: { readonly current: SpreadViewProps }): Pointing {
  const [pointed, setPointed] = useState<number | null>(null);
  const hovers = useRef(0);
  const clicks = useRef(0);
  const pick = (hover: Hover, take: (pick: SpreadPick | null) => void): void =>
    // a chart that was closed meanwhile responds with an error
    void chart.current?.pick(hover.xPx, hover.yPx).then(take, () => {});
  return {
    pointed,
    point: (hover) => {
      const mine = ++hovers.current;
      if (hover === null) {
        setPointed(null);
        latest.current.onPoint(null, null);
        return;
      }
      pick(hover, (picked) => {
        if (mine !== hovers.current) return;
        setPointed(picked?.at ?? null);
        latest.current.onPoint(picked, hover);
      });
    },
    click: (hover) => {
      const mine = ++clicks.current;
      pick(hover, (picked) => {
        if (picked !== null && mine === clicks.current) latest.current.onClick(picked);
      });
    },
    dropClick: () => {
      clicks.current++;
    },
    leave: () => {
      hovers.current++;
      latest.current.onPoint(null, null);
    },
  };
}

type Sent = {
  readonly data: SpreadData;
  readonly scene: SpreadViewProps["scene"] | null;
  readonly size: Size | null;
  readonly pointed: number | null;
};

/** Sends new data and scenes to the chart. */
function useDrawing(chart: ChartRef, props: SpreadViewProps, size: Size | null, pointed: number | null): void {
  const sent = useRef<Sent | null>(null);
  useLayoutEffect(() => {
    const open = chart.current;
    const last = sent.current;
    if (open === null) return;
    props.chartRef?.(open, size);
    if (last?.data !== props.data) open.setData(props.data);
    if (size !== null && (last?.scene !== props.scene || last.size !== size || last.pointed !== pointed)) {
      // an index is valid only for the data from which it was picked
      open.draw({ ...props.scene, ...size, pointed: last !== null && last.data !== props.data ? null : pointed });
    }
    sent.current = { data: props.data, scene: size === null ? null : props.scene, size, pointed };
  });
}

/**
 * Which of the two axes is time depends on the look. Overlaid lines have no time axis, and their counts cannot be
 * zoomed.
 */
function turned(look: SpreadLook, x: Zoom, y: Zoom): { readonly values: Zoom; readonly times: Zoom } {
  if (look === "offset") return { values: x, times: y };
  if (look === "overlay") return { values: x, times: y === null ? null : undefined };
  return { values: y, times: x };
}
