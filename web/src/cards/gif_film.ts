// Plays an animated image: decodes its frames and draws the frame of the current time on a canvas.

import { signal } from "@preact/signals";
import { type GifFrames, gifFrames } from "../base/gif";
import { blobBytes } from "../state/media";
import { member } from "../state/view";
import { type Film, frameAt } from "./film";

const speed = member("videoSpeed");
const loop = member("videoLoop");

/** Missing in TypeScript's DOM types. */
type Decoder = {
  readonly tracks: { readonly ready: Promise<void> };
  readonly decode: (options: { readonly frameIndex: number }) => Promise<{ readonly image: VideoFrame }>;
  readonly close: () => void;
};
type DecoderMaker = new (init: { readonly data: ArrayBuffer; readonly type: string }) => Decoder;

function decoderMaker(): DecoderMaker | null {
  return (globalThis as { ImageDecoder?: DecoderMaker }).ImageDecoder ?? null;
}

// limit on cached frames: 128 MB
const MOST_KEPT_PIXELS = 32_000_000;

export class GifFilm implements Film {
  readonly playing = signal(false);
  readonly time = signal(0);
  readonly seconds = signal<number | null>(null);
  readonly times = signal<readonly number[]>([]);
  readonly frames = signal<GifFrames | null>(null);
  /** Number of frames drawn. */
  readonly drawn = signal(0);
  /** The frame on the canvas; -1 for none. */
  readonly shown = signal(-1);
  /** Frames are not available: the browser plays the image. */
  readonly plain = signal(false);

  private canvas: HTMLCanvasElement | null = null;
  /** Decoder of the image on display. */
  private decoder: Decoder | null = null;
  /** Cache of decoded frames of `decoder`. */
  private kept: (ImageBitmap | undefined)[] = [];
  private follows = false;
  /** Id of the requested frame callback; 0: none. */
  private ticking = 0;
  private tickedAt = 0;
  /** A frame is being decoded. */
  private drawing = false;

  play = (): void => {
    if (this.playing.peek() || this.plain.peek()) return;
    if (this.time.peek() >= (this.seconds.peek() ?? 0) - 0.01) this.time.value = 0;
    this.playing.value = true;
    this.tickedAt = performance.now();
    if (this.ticking === 0) this.ticking = requestAnimationFrame(this.tick);
  };

  pause = (): void => {
    this.playing.value = false;
  };

  seek = (to: number): void => {
    this.time.value = Math.max(0, Math.min(to, (this.seconds.peek() ?? to) - 0.001));
    void this.draw();
  };

  follow = (follows: boolean): void => {
    this.follows = follows;
  };

  inSight = (): boolean => this.canvas !== null && isInSight(this.canvas);

  attach(canvas: HTMLCanvasElement | null): void {
    this.canvas = canvas;
    this.shown.value = -1;
    void this.draw();
  }

  /** Loads an image; the old one stays until the new frames are ready. Returns a cancel function. */
  open(url: string): () => void {
    const stop = new AbortController();
    let own: Decoder | null = null;
    const load = async (): Promise<void> => {
      const bytes = await blobBytes(url, stop.signal);
      const frames = gifFrames(new Uint8Array(bytes));
      const Maker = decoderMaker();
      if (frames === null || frames.times.length < 2 || Maker === null) throw new Error("nothing to step through");
      own = new Maker({ data: bytes, type: "image/gif" });
      await own.tracks.ready;
      if (!stop.signal.aborted) this.show(own, frames);
    };
    load().catch(() => {
      if (!stop.signal.aborted) this.plain.value = true;
    });
    return () => {
      stop.abort();
      if (own !== null && own !== this.decoder) own.close();
    };
  }

  private show(decoder: Decoder, frames: GifFrames): void {
    this.decoder?.close();
    for (const picture of this.kept) picture?.close();
    this.decoder = decoder;
    this.kept = [];
    this.frames.value = frames;
    this.times.value = frames.times;
    this.seconds.value = frames.seconds;
    this.shown.value = -1;
    this.plain.value = false;
    this.time.value = Math.min(this.time.peek(), frames.seconds - 0.001);
    void this.draw();
  }

  private readonly tick = (now: number): void => {
    this.ticking = this.playing.peek() ? requestAnimationFrame(this.tick) : 0;
    const whole = this.seconds.peek() ?? 0;
    const next = this.time.peek() + ((now - this.tickedAt) / 1000) * speed.peek();
    this.tickedAt = now;
    if (next < whole) this.time.value = next;
    else if (loop.peek() && !this.follows && whole > 0) this.time.value = next % whole;
    else {
      this.time.value = Math.max(0, whole - 0.001);
      this.pause();
    }
    void this.draw();
  };

  /** Draws until the canvas shows the frame of the current time. Only one call runs at a time. */
  private async draw(): Promise<void> {
    if (this.drawing) return;
    this.drawing = true;
    try {
      while (await this.drawNext());
    } catch {
      // truncated file: the decoded frames stay
      this.pause();
    } finally {
      this.drawing = false;
    }
  }

  /** Returns false if there is nothing to draw. */
  private async drawNext(): Promise<boolean> {
    const { decoder } = this;
    const at = frameAt(this.times.peek(), this.time.peek());
    if (decoder === null || this.canvas === null || at < 0 || at === this.shown.peek()) return false;
    const picture = this.kept[at] ?? (await this.decode(decoder, at));
    // meanwhile another image may have been opened, or the canvas removed
    const { canvas } = this;
    if (decoder !== this.decoder || canvas === null) return true;
    canvas.getContext("2d")?.clearRect(0, 0, canvas.width, canvas.height);
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    this.shown.value = at;
    this.drawn.value++;
    return true;
  }

  private async decode(decoder: Decoder, at: number): Promise<ImageBitmap> {
    const { image } = await decoder.decode({ frameIndex: at });
    const picture = await createImageBitmap(image);
    image.close();
    const size = picture.width * picture.height;
    if (decoder === this.decoder && size * this.times.peek().length <= MOST_KEPT_PIXELS) this.kept[at] = picture;
    return picture;
  }
}

export function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return element.isConnected && bottom > 0 && top < innerHeight;
}
