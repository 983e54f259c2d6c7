// Two compared images: side by side, with a divider, blinking, or their difference.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { RunMark } from "../../cards/kind_card";
import { RunName } from "../../cards/run_name";
import { formatStep } from "../../cards/step_slider";
import * as imagesWords from "../../state/texts/images";
import { changeView, member, spoken } from "../../state/view";
import { showsB, useBlink } from "./blink";
import "./compared.css";
import { type DifferenceFacts, drawDifference } from "./difference";
import type { Loaded } from "./loaded_picture";
import { Overlays } from "./overlays";
import { Picture, placeClass, placeStyle } from "./picture";
import { usePictureFacts } from "./picture_facts";
import { PictureFrame } from "./picture_frame";
import type { Drawn } from "./zoom";

const mode = member("imagesMode");
const swipe = member("imagesSwipe");
const amplify = member("imagesAmplify");

export type Side = {
  readonly run: string;
  readonly step: number | bigint | undefined;
  readonly picture: Loaded;
  /** Whether to draw boxes and masks that were logged with the image. */
  readonly overlays: boolean;
};

type Properties = {
  readonly cardKey: string;
  readonly label: string;
  readonly a: Side;
  readonly b: Side;
  readonly full: boolean;
  readonly onOpen?: (() => void) | undefined;
};

export function Compared(properties: Properties): JSX.Element {
  const { a, b } = properties;
  const how = mode.value;
  useBlink(how === "blink");
  const facts = useSignal<DifferenceFacts | null>(null);
  if (how === "side") return <SideBySide {...properties} />;
  const bSeen = how === "blink" && showsB.value;
  return (
    <div class="compared" data-compared={how} data-shows={how === "blink" ? (bSeen ? "B" : "A") : undefined}>
      <PictureFrame {...frameOf(properties)} picture={a.picture}>
        {(drawn, pixelated) => <Overlaid {...properties} drawn={drawn} pixelated={pixelated} facts={facts} />}
      </PictureFrame>
      {how === "blink" ? (
        <Badge side={bSeen ? b : a} letter={bSeen ? "B" : "A"} />
      ) : (
        <>
          <Badge side={a} letter="A" />
          <Badge side={b} letter="B" atEnd />
        </>
      )}
      {how === "difference" && facts.value !== null && <Facts facts={facts.value} />}
    </div>
  );
}

function frameOf({ cardKey, label, a, b, full, onOpen }: Properties): FrameProperties {
  const whole = a.picture.url === a.picture.whole && b.picture.url === b.picture.whole;
  return { cardKey, label, whole, full, onOpen };
}

type FrameProperties = Pick<Parameters<typeof PictureFrame>[0], "cardKey" | "label" | "whole" | "full" | "onOpen">;

function SideBySide(properties: Properties): JSX.Element {
  const { a, b, label } = properties;
  const sides = [
    { side: a, letter: "A" },
    { side: b, letter: "B" },
  ] as const;
  return (
    <div class="compared compared--side" data-compared="side">
      {sides.map(({ side, letter }) => (
        <div class="compared__half" key={letter}>
          <PictureFrame {...frameOf(properties)} tools={letter === "B"} picture={side.picture}>
            {(drawn, pixelated) => (
              <One side={side} letter={letter} label={label} drawn={drawn} pixelated={pixelated} />
            )}
          </PictureFrame>
          <Badge side={side} letter={letter} />
        </div>
      ))}
    </div>
  );
}

type OverlaidProps = Pick<Properties, "a" | "b" | "label"> & {
  readonly drawn: Drawn | null;
  readonly pixelated: boolean;
  readonly facts: Signal<DifferenceFacts | null>;
};

/** Both images at the same position: difference, blinking, or with a divider. */
function Overlaid({ a, b, label, drawn, pixelated, facts }: OverlaidProps): JSX.Element {
  const one = { label, drawn, pixelated };
  if (mode.value === "difference") {
    const onFacts = (next: DifferenceFacts | null): void => {
      facts.value = next;
    };
    return <Difference a={a} b={b} {...one} onFacts={onFacts} />;
  }
  if (mode.value === "blink") {
    return (
      <>
        <One side={a} letter="A" {...one} hidden={showsB.value} />
        <One side={b} letter="B" {...one} hidden={!showsB.value} />
      </>
    );
  }
  return (
    <>
      <One side={a} letter="A" {...one} clip={`inset(0 ${100 * (1 - swipe.value)}% 0 0)`} />
      <One side={b} letter="B" {...one} clip={`inset(0 0 0 ${100 * swipe.value}%)`} />
      <Divider />
    </>
  );
}

type OneProps = {
  readonly side: Side;
  readonly letter: "A" | "B";
  readonly label: string;
  readonly drawn: Drawn | null;
  readonly pixelated: boolean;
  readonly hidden?: boolean;
  readonly clip?: string;
};

function One({ side, letter, label, drawn, pixelated, hidden, clip }: OneProps): JSX.Element {
  const facts = usePictureFacts(side.overlays ? side.picture.whole : null).value;
  const overlays = facts === null || hidden === true ? null : <Overlays facts={facts} drawn={drawn} />;
  return (
    <>
      <Picture
        picture={side.picture}
        label={`${letter}: ${label}`}
        drawn={drawn}
        pixelated={pixelated || small(side.picture)}
        letter={letter}
        hidden={hidden}
        clip={clip}
      />
      {overlays !== null && clip !== undefined ? (
        <div class="picture-clip" style={{ clipPath: clip }}>
          {overlays}
        </div>
      ) : (
        overlays
      )}
    </>
  );
}

// in images this small single pixels matter
const SMALL_PX = 128;

function small({ widthPx, heightPx }: Loaded): boolean {
  return Math.max(widthPx, heightPx) <= SMALL_PX;
}

/** The letter of an image, in its corner. */
function Badge({
  side,
  letter,
  atEnd = false,
}: {
  readonly side: Side;
  readonly letter: string;
  readonly atEnd?: boolean;
}): JSX.Element {
  return (
    <div class={atEnd ? "compared__badge compared__badge--end" : "compared__badge"}>
      <b>{letter}</b>
      <RunMark run={side.run} />
      <span class="compared__run" title={side.run}>
        <RunName run={side.run} />
      </span>
      <span class="compared__step">{formatStep(side.step)}</span>
    </div>
  );
}

const STEP = 0.02;

/** The divider between A (left) and B (right). */
function Divider(): JSX.Element {
  const words = spoken(imagesWords);
  const put = (share: number): void =>
    changeView({ imagesSwipe: Math.round(1000 * Math.min(1, Math.max(0, share))) / 1000 });
  const at = swipe.value;
  return (
    <div
      class="compared__divider"
      style={{ left: `${100 * at}%` }}
      role="slider"
      tabIndex={0}
      aria-label={words.divider}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * at)}
      data-arrows=""
      data-testid="images-divider"
      onPointerDown={(event) => dragDivider(event, put)}
      onDblClick={(event) => {
        event.stopPropagation();
        put(0.5);
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") put(at - STEP);
        else if (event.key === "ArrowRight") put(at + STEP);
        else if (event.key === "Home") put(0);
        else if (event.key === "End") put(1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}

function dragDivider(event: PointerEvent, put: (share: number) => void): void {
  const handle = event.currentTarget;
  if (!(handle instanceof HTMLElement)) return;
  const box = handle.parentElement?.getBoundingClientRect();
  if (box === undefined || event.button !== 0) return;
  event.preventDefault();
  handle.focus();
  handle.setPointerCapture(event.pointerId);
  const move = (now: PointerEvent): void => put((now.clientX - box.left) / box.width);
  const end = (): void => {
    handle.removeEventListener("pointermove", move);
    handle.removeEventListener("lostpointercapture", end);
  };
  handle.addEventListener("pointermove", move);
  handle.addEventListener("lostpointercapture", end);
}

type DifferenceProps = {
  readonly a: Side;
  readonly b: Side;
  readonly label: string;
  readonly drawn: Drawn | null;
  readonly pixelated: boolean;
  readonly onFacts: (facts: DifferenceFacts | null) => void;
};

function Difference({ a, b, label, drawn, pixelated, onFacts }: DifferenceProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const count = useSignal(0);
  useEffect(() => {
    let still = true;
    const element = canvas.current;
    if (element === null) return;
    drawDifference(element, [a.picture.url, b.picture.url], () => still).then(
      (facts) => {
        if (!still) return;
        count.value++;
        onFacts(facts);
      },
      // the image itself reports the error
      () => {},
    );
    return () => {
      still = false;
    };
  }, [a.picture.url, b.picture.url, count]);
  const times = amplify.value;
  return (
    <canvas
      ref={canvas}
      class={placeClass(drawn, pixelated || small(a.picture))}
      style={{ ...placeStyle(drawn), ...(times === 1 ? {} : { filter: `brightness(${times})` }) }}
      role="img"
      aria-label={spoken(imagesWords).differenceOf(label)}
      data-letter="|A−B|"
      data-drawn={count.value}
      data-step={a.picture.step}
    />
  );
}

function Facts({ facts }: { readonly facts: DifferenceFacts }): JSX.Element {
  const words = spoken(imagesWords);
  const share = 100 * facts.share;
  const shown = share > 0 && share < 0.1 ? "< 0.1" : share.toFixed(share > 99.9 && share < 100 ? 2 : 1);
  return (
    <div class="compared__facts" data-testid="images-difference">
      {words.differenceFacts(facts.mean.toFixed(facts.mean < 10 ? 2 : 1), facts.most, shown)}
    </div>
  );
}
