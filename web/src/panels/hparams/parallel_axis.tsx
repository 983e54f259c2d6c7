// One axis of parallel coordinates: its line, ticks and brushes. Dragging along it adds an interval, dragging an
// interval or its ends changes it, a click on an interval removes it; a double-click clears the axis.

import type { JSX } from "preact";
import { shortNames } from "../../base/short_names";
import { brushesNow, draft, setBrush } from "../../state/hparams";
import { hasBrush } from "../../state/trials_filter";
import { thinned } from "../../state/trials_scales";
import { brushOf, joined, type Stretch, stretchesOf } from "./brushing";
import { type AxisPlace, placeAt, pxOf } from "./parallel_layout";
import { tickLabel, words } from "./words";

const BRUSH_PX = 16;
const GRAB_PX = 30;
// a brush may start this far beyond the end of an axis
const BEYOND_PX = 10;
const EDGE_PX = 6;
const TICK_GAP_PX = 15;
const LABEL_LETTERS = 16;
// a shorter drag is a click
const LEAST_PX = 4;

export function ParallelAxis({ place }: { readonly place: AxisPlace }): JSX.Element {
  const { axis, xPx, topPx, bottomPx, missingPx, gaps } = place;
  const { column } = axis;
  const stretches = stretchesOf(axis, brushesNow.value[column.id]);
  const ticks = thinned(axis.ticks, TICK_GAP_PX / Math.max(1, bottomPx - topPx));
  const labels = shortNames(
    ticks.map((tick) => tickLabel(axis, tick)),
    LABEL_LETTERS,
  );
  return (
    <g class="parallel-axis" data-axis={column.id}>
      <line x1={xPx} x2={xPx} y1={topPx} y2={bottomPx} />
      {ticks.map((tick) => (
        <g key={tick.place} transform={`translate(${xPx} ${pxOf(place, tick.place)})`}>
          <line x1={-4} x2={0} />
          <text x={-7} dy="0.32em">
            {labels.get(tickLabel(axis, tick))}
          </text>
        </g>
      ))}
      {gaps && (
        <text class="parallel-axis__missing" x={xPx - 7} y={missingPx} dy="0.32em">
          {words().missing}
        </text>
      )}
      {stretches.map(([lo, hi], at) => {
        const [top, bottom] = [pxOf(place, hi), pxOf(place, lo)].sort((a, b) => a - b) as [number, number];
        return (
          <rect
            key={at}
            class="parallel-axis__brush"
            x={xPx - BRUSH_PX / 2}
            y={top}
            width={BRUSH_PX}
            height={Math.max(2, bottom - top)}
          />
        );
      })}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the menu of the axis has the same by keys */}
      <rect
        class="parallel-axis__grab"
        x={xPx - GRAB_PX / 2}
        y={topPx - BEYOND_PX}
        width={GRAB_PX}
        height={bottomPx - topPx + 2 * BEYOND_PX}
        onPointerDown={(event) => startBrush(event, place, stretches)}
        onClick={(event) => event.stopPropagation()}
        onDblClick={() => setBrush(column.id, null)}
      />
    </g>
  );
}

function startBrush(event: PointerEvent, place: AxisPlace, before: readonly Stretch[]): void {
  const grab = event.currentTarget;
  if (!(grab instanceof SVGElement) || event.button !== 0) return;
  event.preventDefault();
  const { axis } = place;
  const { id } = axis.column;
  // measured at the plot, because the bounding box of the axis changes with the brush
  const originPx = grab.ownerSVGElement?.getBoundingClientRect().top ?? 0;
  const at = (to: PointerEvent): number => placeAt(place, to.clientY - originPx);
  const start = at(event);
  const slack = EDGE_PX / Math.max(1, place.bottomPx - place.topPx);
  const inside = before.find(([lo, hi]) => start >= lo - slack && start <= hi + slack);
  const rest = before.filter((one) => one !== inside);
  let now: readonly Stretch[] = before;
  let moved = false;
  const move = (to: PointerEvent): void => {
    if (Math.abs(to.clientY - event.clientY) >= LEAST_PX) moved = true;
    if (!moved) return;
    now = [...rest, changed(inside, start, at(to), slack)];
    const brush = brushOf(axis, now);
    const { [id]: _, ...others } = brushesNow.peek();
    draft.value = brush === null ? others : { ...others, [id]: brush };
  };
  const end = (): void => {
    grab.removeEventListener("pointermove", move);
    if (!moved) {
      // a click removes the interval under it; a click outside of all intervals removes all
      const left = inside === undefined ? [] : rest;
      if (hasBrush(brushesNow.peek()[id])) setBrush(id, brushOf(axis, left));
      return;
    }
    setBrush(id, brushOf(axis, joined([...now].sort((a, b) => a[0] - b[0]))));
  };
  grab.setPointerCapture(event.pointerId);
  grab.addEventListener("pointermove", move);
  grab.addEventListener("lostpointercapture", end, { once: true });
}

/** Returns the new interval: created, resized at one end, or moved. */
export function changed(inside: Stretch | undefined, start: number, now: number, slack: number): Stretch {
  const ordered = (a: number, b: number): Stretch => (a <= b ? [a, b] : [b, a]);
  if (inside === undefined) return ordered(start, now);
  const [lo, hi] = inside;
  if (Math.abs(start - lo) <= slack) return ordered(now, hi);
  if (Math.abs(start - hi) <= slack) return ordered(lo, now);
  const by = Math.min(1 - hi, Math.max(-lo, now - start));
  return [lo + by, hi + by];
}
