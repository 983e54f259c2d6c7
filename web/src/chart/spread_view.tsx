// A chart of histograms or percentiles as a component: keeps canvas, data and size in step with the properties, and turns
// gestures into ranges of values and of time.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Boxed, Zoom } from "./gestures";
import "./line_chart.css";
import { type Hover, listenTo, type Now } from "./pointer";
import { type Size, watchSize, ZoomBox } from "./sizes";
import { openSpread, type SpreadChart } from "./spread";
import { spreadLayout } from "./spread_plan";
import type { SpreadAxes, SpreadData, SpreadDrawn, SpreadLook, SpreadPick, SpreadScene } from "./spread_types";

export type { Hover } from "./pointer";

export type SpreadViewProps = {
  readonly scene: Omit<SpreadScene, "widthPx" | "heightPx" | "ratio" | "pointed">;
  /** Another array object is other data. */
  readonly data: SpreadData;
  /** The chosen step as text, for who looks at the canvas; "" for none. */
  readonly step: string;
  readonly label: string;
  readonly hint: string;
  readonly chartRef?: (chart: SpreadChart | null, size: Size | null) => void;
  /** null: all there is; undefined: as it is. */
  readonly onZoom: (values: Zoom, times: Zoom) => void;
  readonly onPoint: (pick: SpreadPick | null, hover: Hover | null) => void;
  readonly onClick: (pick: SpreadPick) => void;
  readonly onDrawn?: (drawn: SpreadDrawn) => void;
};

const HINT_MILLIS = 3000;

export function SpreadView(props: SpreadViewProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<SpreadChart | null>(null);
  const axes = useRef<SpreadAxes | null>(null);
  const sent = useRef<{ data: SpreadData | null; scene: unknown; size: Size | null; pointed: number | null } | null>(
    null,
  );
  const [size, setSize] = useState<Size | null>(null);
  const [box, setBox] = useState<Boxed | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const [hinting, setHinting] = useState(0);
  const latest = useRef(props);
  latest.current = props;
  // answers to what was asked before the pointer went on do not count
  const asked = useRef(0);
  const clicks = useRef(0);

  const point = (hover: Hover | null): void => {
    const mine = ++asked.current;
    if (hover === null) {
      setPointed(null);
      latest.current.onPoint(null, null);
      return;
    }
    void chart.current?.pick(hover.xPx, hover.yPx).then(
      (pick) => {
        if (mine !== asked.current) return;
        setPointed(pick?.at ?? null);
        latest.current.onPoint(pick, hover);
      },
      () => {},
    );
  };

  const now = useRef<Now>(() => null);
  now.current = () => {
    const shown = axes.current;
    if (size === null || shown === null) return null;
    const { font, locale, look } = props.scene;
    const scene = { ...size, font, locale, x: shown.x, y: shown.y, selection: null };
    const handlers = {
      onZoom: (x: Zoom, y: Zoom) => {
        // a double-click: what its first click asked for is not meant
        if (x === null && y === null) clicks.current++;
        const { values, times } = turned(look, x, y);
        props.onZoom(values, times);
      },
      onGestureEnd: () => {},
      onHover: point,
      onClick: (hover: Hover) => {
        const mine = ++clicks.current;
        void chart.current?.pick(hover.xPx, hover.yPx).then(
          (pick) => pick !== null && mine === clicks.current && latest.current.onClick(pick),
          () => {},
        );
      },
      onBox: setBox,
      onPlainWheel: () => setHinting((count) => count + 1),
    };
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
      asked.current++;
      latest.current.chartRef?.(null, null);
      latest.current.onPoint(null, null);
      unlisten();
      unwatch();
      chart.current?.close();
      chart.current = null;
      sent.current = null;
      canvas.remove();
    };
  }, []);

  useLayoutEffect(() => {
    const open = chart.current;
    const last = sent.current;
    if (open === null) return;
    props.chartRef?.(open, size);
    if (last?.data !== props.data) open.setData(props.data);
    if (size !== null && (last?.scene !== props.scene || last.size !== size || last.pointed !== pointed)) {
      // places belong to the data they were picked from
      open.draw({ ...props.scene, ...size, pointed: last !== null && last.data !== props.data ? null : pointed });
    }
    sent.current = { data: props.data, scene: size === null ? null : props.scene, size, pointed };
  });

  useEffect(() => {
    if (hinting === 0) return;
    const timer = setTimeout(() => setHinting(0), HINT_MILLIS);
    return () => clearTimeout(timer);
  }, [hinting]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved with the arrow keys
    <div class="line-chart" ref={frame} role="application" aria-label={props.label} tabIndex={0}>
      {box !== null && <ZoomBox boxed={box} />}
      {hinting > 0 && <div class="wheel-hint">{props.hint}</div>}
    </div>
  );
}

/** Which of the two axes is time depends on the look; lines over each other have none, and their counts always fit. */
function turned(look: SpreadLook, x: Zoom, y: Zoom): { readonly values: Zoom; readonly times: Zoom } {
  if (look === "offset") return { values: x, times: y };
  if (look === "overlay") return { values: x, times: y === null ? null : undefined };
  return { values: y, times: x };
}
