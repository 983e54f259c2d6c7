// A moving picture with the controls of a film: played, stepped frame by frame, in step with others. Where the browser does
// not hand out single frames (ImageDecoder: only over https or on this machine), it moves by itself as pictures do.

import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type GifFrames, gifFrames } from "../base/gif";
import { blobBytes } from "../state/media";
import { member } from "../state/view";
import { addFilm, type Film, frameAt } from "./film";
import { FilmBar } from "./film_bar";
import { setFilmOfCard } from "./films_of_cards";
import "./gif_player.css";

const speed = member("videoSpeed");
const loop = member("videoLoop");

type Properties = {
  readonly cardKey: string;
  /** Of the picture as it was logged. */
  readonly url: string;
  readonly label: string;
  readonly step: string;
  /** Shown until the frames are there: a thumbnail that is loaded already. */
  readonly still?: string | undefined;
  /** Filters of the page: brightness, contrast. */
  readonly style?: Readonly<Record<string, string>> | undefined;
  readonly onClick?: (() => void) | undefined;
};

/** What TypeScript's own types of the page lack. */
type Decoder = {
  readonly tracks: { readonly ready: Promise<void> };
  readonly decode: (options: { readonly frameIndex: number }) => Promise<{ readonly image: VideoFrame }>;
  readonly close: () => void;
};
type DecoderMaker = new (init: { readonly data: ArrayBuffer; readonly type: string }) => Decoder;

function decoderMaker(): DecoderMaker | null {
  return (globalThis as { ImageDecoder?: DecoderMaker }).ImageDecoder ?? null;
}

// decoded once and kept, up to 128 MB
const MOST_KEPT_PIXELS = 32_000_000;

type GifFilm = Film & {
  readonly frames: Signal<GifFrames | null>;
  readonly drawn: Signal<number>;
  /** Which frame of which picture is on the canvas. */
  readonly shown: Signal<number>;
  /** No frames to be had: the picture moves by itself. */
  readonly plain: Signal<boolean>;
  readonly attach: (canvas: HTMLCanvasElement | null) => void;
  readonly open: (url: string) => () => void;
};

function create(): GifFilm {
  const playing = signal(false);
  const time = signal(0);
  const seconds = signal<number | null>(null);
  const times = signal<readonly number[]>([]);
  const frames = signal<GifFrames | null>(null);
  const drawn = signal(0);
  const shown = signal(-1);
  const plain = signal(false);
  let canvas: HTMLCanvasElement | null = null;
  let decoder: Decoder | null = null;
  let kept: (ImageBitmap | undefined)[] = [];
  let follows = false;
  let ticking = 0;
  let last = 0;
  let busy = false;

  async function draw(): Promise<void> {
    // one at a time; the newest frame wins
    if (busy) return;
    busy = true;
    try {
      for (;;) {
        const from = decoder;
        const at = frameAt(times.peek(), time.peek());
        if (from === null || canvas === null || at < 0 || at === shown.peek()) return;
        const picture = kept[at] ?? (await decoded(from, at));
        if (from !== decoder || canvas === null) continue;
        canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
        canvas.getContext("2d")?.drawImage(picture, 0, 0);
        shown.value = at;
        drawn.value++;
      }
    } catch {
      // a cut file: the frames that are there stay
      pause();
    } finally {
      busy = false;
    }
  }

  async function decoded(from: Decoder, at: number): Promise<ImageBitmap> {
    const { image } = await from.decode({ frameIndex: at });
    const picture = await createImageBitmap(image);
    image.close();
    const size = picture.width * picture.height;
    if (from === decoder && size * times.peek().length <= MOST_KEPT_PIXELS) kept[at] = picture;
    return picture;
  }

  function tick(now: number): void {
    ticking = playing.peek() ? requestAnimationFrame(tick) : 0;
    const whole = seconds.peek() ?? 0;
    const next = time.peek() + ((now - last) / 1000) * speed.peek();
    last = now;
    if (next < whole) time.value = next;
    else if (loop.peek() && !follows && whole > 0) time.value = next % whole;
    else {
      time.value = Math.max(0, whole - 0.001);
      pause();
    }
    void draw();
  }

  function pause(): void {
    playing.value = false;
  }

  return {
    playing,
    time,
    seconds,
    times,
    frames,
    drawn,
    shown,
    plain,
    play: () => {
      if (playing.peek() || plain.peek()) return;
      if (time.peek() >= (seconds.peek() ?? 0) - 0.01) time.value = 0;
      playing.value = true;
      last = performance.now();
      if (ticking === 0) ticking = requestAnimationFrame(tick);
    },
    pause,
    seek: (to) => {
      time.value = Math.max(0, Math.min(to, (seconds.peek() ?? to) - 0.001));
      void draw();
    },
    follow: (does) => {
      follows = does;
    },
    inSight: () => canvas !== null && isInSight(canvas),
    attach: (element) => {
      canvas = element;
      shown.value = -1;
      void draw();
    },
    open: (url) => {
      const stop = new AbortController();
      let own: Decoder | null = null;
      const begin = async (): Promise<void> => {
        const bytes = await blobBytes(url, stop.signal);
        const found = gifFrames(new Uint8Array(bytes));
        const Maker = decoderMaker();
        if (found === null || found.times.length < 2 || Maker === null) throw new Error("nothing to step through");
        own = new Maker({ data: bytes, type: "image/gif" });
        await own.tracks.ready;
        if (stop.signal.aborted) return;
        forget();
        decoder = own;
        kept = [];
        frames.value = found;
        times.value = found.times;
        seconds.value = found.seconds;
        shown.value = -1;
        plain.value = false;
        time.value = Math.min(time.peek(), found.seconds - 0.001);
        void draw();
      };
      begin().catch(() => {
        if (!stop.signal.aborted) plain.value = true;
      });
      return () => {
        stop.abort();
        if (own !== null && own !== decoder) own.close();
      };
    },
  };

  function forget(): void {
    decoder?.close();
    for (const picture of kept) picture?.close();
  }
}

export function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && bottom > 0 && top < innerHeight;
}

const reduced = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

export function GifPlayer(properties: Properties): JSX.Element {
  const { cardKey, url, label, step, still, style, onClick } = properties;
  const film = useMemo(create, []);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const away = [addFilm(film), setFilmOfCard(cardKey, film)];
    return () => {
      for (const take of away) take();
    };
  }, [film, cardKey]);
  useEffect(() => film.open(url), [film, url]);
  const frames = film.frames.value;
  useEffect(() => {
    film.attach(canvas.current);
    // moving pictures move, until somebody stops them
    if (frames !== null && reduced?.matches !== true && film.drawn.peek() === 0) film.play();
    return () => film.attach(null);
  }, [film, frames]);
  if (film.plain.value || frames === null) {
    return (
      <div class="gif-player">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the card's own button does the same by keys */}
        <img
          class="gif-player__picture"
          src={film.plain.value ? url : (still ?? url)}
          alt={label}
          style={style}
          data-step={film.plain.value ? step : undefined}
          data-drawn={film.plain.value ? 1 : undefined}
          data-testid="gif"
          onClick={onClick}
        />
      </div>
    );
  }
  return (
    <div class="gif-player">
      <div class="gif-player__place">
        <canvas
          ref={canvas}
          class={frames.widthPx < 200 ? "gif-player__picture gif-player__picture--small" : "gif-player__picture"}
          width={frames.widthPx}
          height={frames.heightPx}
          role="img"
          aria-label={label}
          style={style}
          data-drawn={film.drawn.value}
          data-frame={film.shown.value}
          data-step={step}
          data-testid="gif"
          onClick={onClick}
        />
      </div>
      <FilmBar film={film} label={label} />
    </div>
  );
}
