// A clip as an image: waveform above spectrogram, with the playback position. A click or a drag seeks; arrow keys seek
// by one second.

import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatPlayTime } from "../../base/play_time";
import { theme } from "../../state/theme";
import { member } from "../../state/view";
import { useObservedSize } from "../../widgets/observed_size";
import type { Analysis } from "./analysis";
import {
  colorTable,
  drawWaveform,
  formatHz,
  frequencyAt,
  frequencyTicks,
  paintSpectrogram,
  shareOf,
  tickHz,
} from "./drawing";
import type { Player } from "./player";
import "./wave_view.css";

type Properties = {
  readonly analysis: Analysis;
  readonly player: Player;
  /** Duration of the audio; `analysis` may be shorter or longer. */
  readonly seconds: number;
  readonly color: string;
  readonly label: string;
  readonly step: string;
  /** "A" or "B" if two clips are compared, else "". */
  readonly letter: string;
  /** This clip is audible. */
  readonly heard: boolean;
};

const show = member("audioShow");
const scale = member("audioScale");

export const GUTTER_PX = 30;
// below this height only the waveform is drawn
const LEAST_BOTH_PX = 64;
// wider images are stretched: painting more would block the page
const MOST_PIXELS = 700_000;

export function WaveView(properties: Properties): JSX.Element {
  const { analysis, letter, heard } = properties;
  const place = useRef<HTMLDivElement>(null);
  const size = useSignal({ widthPx: 0, heightPx: 0 });
  useObservedSize(place, ({ clientWidth, clientHeight }) => {
    const { widthPx, heightPx } = size.peek();
    if (clientWidth !== widthPx || clientHeight !== heightPx) {
      size.value = { widthPx: clientWidth, heightPx: clientHeight };
    }
  });
  const { widthPx, heightPx } = size.value;
  const parts = partsOf(heightPx, show.value);
  return (
    <div class={heard ? "wave-view" : "wave-view wave-view--quiet"} ref={place}>
      <Gutter analysis={analysis} letter={letter} parts={parts} />
      <Plot {...properties} parts={parts} plotPx={Math.max(0, widthPx - GUTTER_PX)} />
    </div>
  );
}

type GutterProps = Pick<Properties, "analysis" | "letter"> & { readonly parts: Parts };

function Gutter({ analysis: { rateHz }, letter, parts: { wavePx, spectrogramPx } }: GutterProps): JSX.Element {
  const ticks = spectrogramPx > 0 ? frequencyTicks(rateHz, scale.value, spectrogramPx) : [];
  return (
    <div class="wave-view__gutter" aria-hidden="true">
      {letter !== "" && <span class="wave-view__letter">{letter}</span>}
      {ticks.map((hz) => (
        <span
          key={hz}
          class="wave-view__tick"
          style={{ top: `${wavePx + (1 - shareOf(hz, rateHz, scale.value)) * spectrogramPx}px` }}
        >
          {tickHz(hz)}
        </span>
      ))}
    </div>
  );
}

type PlotProps = Properties & { readonly parts: Parts; readonly plotPx: number };

function Plot({ analysis, player, seconds, color, label, step, heard, parts, plotPx }: PlotProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  useSpoken(frame, player, seconds);
  const pointed = useSignal<{ readonly x: number; readonly y: number } | null>(null);
  const share = seconds > 0 ? Math.min(1, analysis.seconds / seconds) : 1;
  const at = pointed.value;
  const picture = { analysis, widthPx: plotPx * share, frame };
  return (
    <div
      ref={frame}
      class="wave-view__plot"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={seconds}
      aria-valuenow={0}
      data-arrows
      data-step={step}
      data-testid="wave"
      onPointerDown={(event) => drag(event, player, seconds)}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        pointed.value = { x: event.clientX - box.left, y: event.clientY - box.top };
      }}
      onPointerLeave={() => {
        pointed.value = null;
      }}
      onKeyDown={(event) => moveByKey(event, player, seconds)}
    >
      {plotPx > 0 && parts.wavePx > 0 && <Waveform {...picture} heightPx={parts.wavePx} color={color} />}
      {plotPx > 0 && parts.spectrogramPx > 0 && (
        <SpectrogramView {...picture} heightPx={parts.spectrogramPx} topPx={parts.wavePx} />
      )}
      <Playhead player={player} seconds={seconds} widthPx={plotPx} heard={heard} />
      {at !== null && plotPx > 0 && (
        <span class={at.x > plotPx / 2 ? "wave-view__told wave-view__told--left" : "wave-view__told"}>
          {placeText(at, plotPx, seconds, parts, analysis)}
        </span>
      )}
    </div>
  );
}

type Parts = { readonly wavePx: number; readonly spectrogramPx: number };

function partsOf(heightPx: number, wanted: "both" | "waveform" | "spectrogram"): Parts {
  if (wanted === "spectrogram") return { wavePx: 0, spectrogramPx: heightPx };
  if (wanted === "waveform" || heightPx < LEAST_BOTH_PX) return { wavePx: heightPx, spectrogramPx: 0 };
  const wavePx = Math.round(heightPx * 0.4);
  return { wavePx, spectrogramPx: heightPx - wavePx };
}

/** Text with the time and, on the spectrogram, the frequency at a point of the plot. */
function placeText(
  at: { readonly x: number; readonly y: number },
  plotPx: number,
  seconds: number,
  { wavePx, spectrogramPx }: Parts,
  { rateHz }: Analysis,
): string {
  const time = formatPlayTime((at.x / plotPx) * seconds, seconds);
  if (at.y < wavePx || spectrogramPx === 0) return time;
  return `${time} · ${formatHz(frequencyAt(1 - (at.y - wavePx) / spectrogramPx, rateHz, scale.value))}`;
}

function drag(event: PointerEvent, player: Player, seconds: number): void {
  const element = event.currentTarget;
  if (!(element instanceof HTMLElement) || event.button !== 0) return;
  element.setPointerCapture(event.pointerId);
  const go = (now: PointerEvent): void => {
    const { left, width } = element.getBoundingClientRect();
    player.seek(Math.max(0, Math.min(1, (now.clientX - left) / width)) * seconds);
  };
  go(event);
  const end = (): void => {
    element.removeEventListener("pointermove", go);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", end);
  };
  element.addEventListener("pointermove", go);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}

function moveByKey(event: KeyboardEvent, player: Player, seconds: number): void {
  const step = (event.shiftKey ? 5 : 1) * (seconds > 20 ? 1 : seconds / 20);
  const now = player.time.peek();
  if (event.key === "ArrowLeft") player.seek(now - step);
  else if (event.key === "ArrowRight") player.seek(Math.min(seconds, now + step));
  else if (event.key === "Home") player.seek(0);
  else if (event.key === "End") player.seek(seconds);
  else if (event.key === " " || event.key === "Enter") player.toggle();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Updates the position for screen readers without rendering the card for each frame. */
function useSpoken(frame: { readonly current: HTMLElement | null }, player: Player, seconds: number): void {
  useEffect(
    () =>
      effect(() => {
        const now = player.time.value;
        frame.current?.setAttribute("aria-valuenow", now.toFixed(2));
        frame.current?.setAttribute("aria-valuetext", formatPlayTime(now, seconds));
      }),
    [player, seconds, frame],
  );
}

type HeadProps = {
  readonly player: Player;
  readonly seconds: number;
  readonly widthPx: number;
  readonly heard: boolean;
};

function Playhead({ player, seconds, widthPx, heard }: HeadProps): JSX.Element {
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () =>
      effect(() => {
        const share = seconds > 0 ? Math.min(1, player.time.value / seconds) : 0;
        if (line.current !== null) line.current.style.transform = `translateX(${share * widthPx}px)`;
      }),
    [player, seconds, widthPx],
  );
  return <div ref={line} class={heard ? "wave-view__head" : "wave-view__head wave-view__head--quiet"} />;
}

type PartProps = {
  readonly analysis: Analysis;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Element whose data attribute counts draws. */
  readonly frame: { readonly current: HTMLElement | null };
};

function count(frame: { readonly current: HTMLElement | null }): void {
  const element = frame.current;
  if (element !== null) element.dataset.drawn = String(Number(element.dataset.drawn ?? 0) + 1);
}

function Waveform({ analysis, widthPx, heightPx, color, frame }: PartProps & { readonly color: string }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const look = theme.value;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = devicePixelRatio;
    element.width = Math.max(1, Math.round(widthPx * ratio));
    element.height = Math.max(1, Math.round(heightPx * ratio));
    const line = getComputedStyle(element).getPropertyValue("--line");
    drawWaveform(context, element.width, element.height, analysis, color, line, ratio);
    count(frame);
  }, [analysis, widthPx, heightPx, color, look, frame]);
  return <canvas ref={canvas} class="wave-view__canvas" style={{ width: `${widthPx}px`, height: `${heightPx}px` }} />;
}

function SpectrogramView(properties: PartProps & { readonly topPx: number }): JSX.Element {
  const { analysis, widthPx, heightPx, topPx, frame } = properties;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [look, by] = [theme.value, scale.value];
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (!element || !context) return;
    const ratio = Math.min(devicePixelRatio, Math.sqrt(MOST_PIXELS / Math.max(1, widthPx * heightPx)));
    const width = Math.max(1, Math.round(widthPx * ratio));
    const height = Math.max(1, Math.round(heightPx * ratio));
    [element.width, element.height] = [width, height];
    const picture = context.createImageData(width, height);
    const pixels = new Uint32Array(picture.data.buffer);
    paintSpectrogram(pixels, width, height, analysis.spectrogram, analysis.rateHz, by, colorTable(look));
    context.putImageData(picture, 0, 0);
    count(frame);
  }, [analysis, widthPx, heightPx, by, look, frame]);
  return (
    <canvas
      ref={canvas}
      class="wave-view__canvas"
      style={{ top: `${topPx}px`, width: `${widthPx}px`, height: `${heightPx}px` }}
    />
  );
}
