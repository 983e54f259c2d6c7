// A picture over the whole page: the wheel zooms around the pointer, dragging moves, single pixels stay squares.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { changeView, type ImagesZoom, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { lookStyle } from "./image_card";
import type { Loaded } from "./loaded_picture";
import { drawnAt, magnification, panned, WHOLE, zoomedAt } from "./zoom";
import "./zoom_view.css";

const zoomMember = member("imagesZoom");

const STEP = 1.5;
// pixels are told apart from here on
const PIXELATED = 2;

function put(zoom: ImagesZoom | null): void {
  changeView({ imagesZoom: zoom });
}

export function ZoomView({ picture, label }: { readonly picture: Loaded; readonly label: string }): JSX.Element {
  const words = texts.value.images;
  const place = useRef<HTMLDivElement>(null);
  const frame = useSignal({ widthPx: 0, heightPx: 0 });
  const now = useRef(picture);
  now.current = picture;
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void => {
      frame.value = { widthPx: element.clientWidth, heightPx: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);
  // by hand: the page must not scroll, and only listeners that are not passive can say so
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const pointer = { x: event.clientX - box.left, y: event.clientY - box.top };
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
      const factor = Math.exp(-0.002 * lines * event.deltaY);
      put(zoomedAt(now.current, frame.peek(), zoomMember.peek() ?? WHOLE, factor, pointer));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [frame]);
  const zoom = zoomMember.value ?? WHOLE;
  const drawn = drawnAt(picture, frame.value, zoom);
  const times = magnification(picture, frame.value, zoom);
  const step = (factor: number) => (): void => {
    const middle = { x: frame.value.widthPx / 2, y: frame.value.heightPx / 2 };
    put(zoomedAt(picture, frame.value, zoom, factor, middle));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a fieldset groups are fields
    <div
      class="zoom-view"
      ref={place}
      title={words.zoomHint}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      role="group"
      aria-label={label}
      onDblClick={() => put(null)}
      onPointerDown={(event) => drag(event, picture, frame.peek())}
      onKeyDown={(event) => {
        if (event.key === "+" || event.key === "=") step(STEP)();
        else if (event.key === "-") step(1 / STEP)();
        else if (event.key === "0") put(null);
        else return;
        event.preventDefault();
      }}
    >
      <img
        class={times >= PIXELATED ? "zoom-view__picture zoom-view__picture--pixelated" : "zoom-view__picture"}
        src={picture.url}
        alt={label}
        draggable={false}
        style={{
          ...lookStyle(),
          width: `${drawn.widthPx}px`,
          height: `${drawn.heightPx}px`,
          transform: `translate(${drawn.leftPx}px, ${drawn.topPx}px)`,
        }}
        data-drawn={picture.drawn}
        data-step={picture.step}
      />
      <div class="zoom-view__tools">
        <Button kind="quiet" icon="minus" title={words.zoomOut} disabled={zoom.scale <= 1} onClick={step(1 / STEP)} />
        <span class="zoom-view__times" title={`${picture.widthPx} × ${picture.heightPx}`}>
          {Math.round(100 * times)} %
        </span>
        <Button kind="quiet" icon="plus" title={words.zoomIn} testId="zoom-in" onClick={step(STEP)} />
        <Button kind="quiet" icon="reset" title={words.zoomFit} disabled={zoom.scale <= 1} onClick={() => put(null)} />
      </div>
    </div>
  );
}

function drag(
  event: PointerEvent,
  picture: Loaded,
  frame: { readonly widthPx: number; readonly heightPx: number },
): void {
  const element = event.currentTarget;
  const zoom = zoomMember.peek();
  if (!(element instanceof HTMLElement) || zoom === null || event.button !== 0) return;
  if (event.target instanceof HTMLElement && event.target.closest("button") !== null) return;
  element.setPointerCapture(event.pointerId);
  const move = (now: PointerEvent): void =>
    put(panned(picture, frame, zoom, now.clientX - event.clientX, now.clientY - event.clientY));
  const end = (): void => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", end);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
