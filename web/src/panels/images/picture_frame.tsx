// Frame in which an image is zoomed and moved: the wheel zooms around the pointer, dragging moves, a double click shows
// the whole image again, and at high zoom the pixel under the pointer is read out. The caller draws the content.

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { keyGesture } from "../../base/pointer_gestures";
import { pointIn } from "../../chart/gesture_listener";
import { wheelFactor } from "../../chart/gestures";
import * as imagesWords from "../../state/texts/images";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { useObservedSize } from "../../widgets/observed_size";
import "./picture_frame.css";
import { PixelReadout, pointed, READ_FROM } from "./pixel_readout";
import { type Drawn, drawnAt, magnification, panned, type Size, WHOLE, zoomedAt } from "./zoom";
import { putZoom, zoomOf } from "./zoom_choice";

const STEP = 1.5;
// from this magnification on pixels are drawn as squares
const PIXELATED = 2;
const CLICK_PX = 4;
const KEY_SHARE = 0.1;

type Properties = {
  readonly cardKey: string;
  readonly label: string;
  /** Size of the image as logged, or a smaller size with the same aspect ratio. */
  readonly picture: Size;
  /** The image is shown as it was logged, so pixels can be read. */
  readonly whole: boolean;
  /** In full screen: the wheel zooms without Ctrl, and there are buttons. */
  readonly full: boolean;
  /** False: the other of two frames has the buttons. */
  readonly tools?: boolean | undefined;
  readonly onOpen?: (() => void) | undefined;
  readonly testId?: string | undefined;
  /** `drawn` is null while the whole image is shown: CSS then fits it. */
  readonly children: (drawn: Drawn | null, pixelated: boolean) => JSX.Element;
};

export function PictureFrame(properties: Properties): JSX.Element {
  const { cardKey, label, picture, whole, full, tools = true, onOpen, testId, children } = properties;
  const words = spoken(imagesWords);
  const place = useRef<HTMLDivElement>(null);
  const frame = useSignal<Size>({ widthPx: 0, heightPx: 0 });
  const zoom = zoomOf(cardKey);
  const now = useRef(properties);
  now.current = properties;
  const measure = (element: HTMLElement): void => {
    frame.value = sizeOf(element);
  };
  useObservedSize(place, measure, full || zoom !== null);
  useWheel(place, now);
  const size = frame.value;
  const drawn = zoom === null || size.widthPx === 0 ? null : drawnAt(picture, size, zoom);
  const times = magnification(picture, size, zoom ?? WHOLE);
  const step = (factor: number): void => {
    if (place.current !== null) zoomInMiddle(place.current, properties, factor);
  };
  const reads = whole && drawn !== null && times >= READ_FROM;
  return (
    // biome-ignore lint/a11y/useSemanticElements: what a fieldset groups are fields
    <div
      class={`picture-frame${zoom !== null ? " picture-frame--zoomed" : onOpen !== undefined ? " picture-frame--opens" : ""}`}
      ref={place}
      title={full ? words.zoomHint : zoom === null && onOpen !== undefined ? words.open(label) : undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
      tabIndex={0}
      role="group"
      aria-label={label}
      data-testid={testId}
      data-arrows={zoom === null ? undefined : ""}
      onDblClick={() => putZoom(cardKey, null)}
      onPointerDown={(event) => press(event, now.current, zoom === null ? onOpen : undefined)}
      onPointerMove={(event) => {
        if (!reads || place.current === null) return;
        const { xPx, yPx } = pointIn(place.current, event);
        pointed.value = shareAt(drawn, xPx, yPx);
      }}
      onPointerLeave={() => {
        pointed.value = null;
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget || !onKey(event, properties, size, step)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {children(drawn, drawn !== null && times >= PIXELATED)}
      {reads && <PixelReadout place={place} />}
      {tools && (full || zoom !== null) && <Tools {...properties} times={times} onStep={step} />}
    </div>
  );
}

type ToolsProps = Properties & { readonly times: number; readonly onStep: (factor: number) => void };

function Tools({ cardKey, picture, whole, full, times, onStep }: ToolsProps): JSX.Element {
  const words = spoken(imagesWords);
  const fits = zoomOf(cardKey) === null;
  return (
    <div class={full ? "picture-frame__tools" : "picture-frame__tools picture-frame__tools--card"}>
      <Button
        kind="quiet"
        icon="minus"
        title={words.zoomOut}
        disabled={fits}
        testId="zoom-out"
        onClick={() => onStep(1 / STEP)}
      />
      {whole && (
        <span class="picture-frame__times" title={words.size(picture.widthPx, picture.heightPx)}>
          {Math.round(100 * times)} %
        </span>
      )}
      <Button kind="quiet" icon="plus" title={words.zoomIn} testId="zoom-in" onClick={() => onStep(STEP)} />
      <Button
        kind="quiet"
        icon="reset"
        title={words.zoomFit}
        disabled={fits}
        testId="zoom-fit"
        onClick={() => putZoom(cardKey, null)}
      />
    </div>
  );
}

/** Adds a non-passive wheel listener: only those can prevent the page from scrolling. */
function useWheel(place: RefObject<HTMLDivElement | null>, now: RefObject<Properties>): void {
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      const { full, picture, cardKey } = now.current;
      if (!full && !event.altKey && !event.ctrlKey) return;
      event.preventDefault();
      const { xPx: x, yPx: y } = pointIn(element, event);
      const factor = 1 / wheelFactor(event.deltaY || event.deltaX, event.deltaMode);
      putZoom(cardKey, zoomedAt(picture, sizeOf(element), zoomOf(cardKey) ?? WHOLE, factor, { x, y }));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}

function zoomInMiddle(element: HTMLElement, { cardKey, picture }: Properties, factor: number): void {
  const size = sizeOf(element);
  const middle = { x: size.widthPx / 2, y: size.heightPx / 2 };
  putZoom(cardKey, zoomedAt(picture, size, zoomOf(cardKey) ?? WHOLE, factor, middle));
}

/** Returns false if the frame does not use the key. */
function onKey(
  event: KeyboardEvent,
  { cardKey, picture, onOpen }: Properties,
  size: Size,
  step: (factor: number) => void,
): boolean {
  const zoom = zoomOf(cardKey);
  const asked = keyGesture(event);
  if (asked?.kind === "zoom") step(asked.nearer ? STEP : 1 / STEP);
  else if (asked?.kind === "reset") putZoom(cardKey, null);
  else if (asked?.kind === "arrow" && zoom !== null) {
    // an arrow key moves the viewport that way, so the image moves the other way
    const [dx, dy] = [-asked.x * size.widthPx * KEY_SHARE, -asked.y * size.heightPx * KEY_SHARE];
    putZoom(cardKey, panned(picture, size, zoom, dx, dy));
  } else if (isPlainEnter(event) && onOpen !== undefined) onOpen();
  else return false;
  return true;
}

function isPlainEnter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === "Enter" && !ctrlKey && !metaKey && !altKey;
}

function sizeOf(element: HTMLElement): Size {
  return { widthPx: element.clientWidth, heightPx: element.clientHeight };
}

/** Returns the position in the image, 0 to 1; null outside of it. */
function shareAt({ widthPx, heightPx, leftPx, topPx }: Drawn, x: number, y: number): { x: number; y: number } | null {
  const at = { x: (x - leftPx) / widthPx, y: (y - topPx) / heightPx };
  return at.x >= 0 && at.x < 1 && at.y >= 0 && at.y < 1 ? at : null;
}

/** A press without movement opens the card; a drag moves a zoomed image. */
function press(event: PointerEvent, { picture, cardKey }: Properties, onOpen: (() => void) | undefined): void {
  const element = event.currentTarget;
  if (!(element instanceof HTMLElement) || event.button !== 0) return;
  if (event.target instanceof Element && event.target.closest("button, [role=slider]") !== null) return;
  const zoom = zoomOf(cardKey);
  const frame = sizeOf(element);
  let moved = false;
  const move = (now: PointerEvent): void => {
    const [dx, dy] = [now.clientX - event.clientX, now.clientY - event.clientY];
    if (!moved && Math.hypot(dx, dy) < CLICK_PX) return;
    if (!moved && zoom !== null) element.setPointerCapture(event.pointerId);
    moved = true;
    if (zoom !== null) putZoom(cardKey, panned(picture, frame, zoom, dx, dy));
  };
  const stop = (): void => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", stop);
  };
  const end = (): void => {
    stop();
    if (!moved) onOpen?.();
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", stop);
}
