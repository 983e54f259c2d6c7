// Loads and analyzes clips: a few are fetched at a time, those nearest to the viewport first; the browser decodes them
// and a worker analyzes them. Samples are freed at once; the analysis is cached.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { requestQueue } from "../../base/request_queue";
import { reasonOf } from "../../state/explained";
import { type AudioFacts, audioFacts, blobBytes } from "../../state/media";
import type { Analysis } from "./analysis";
import type { Answer, Question } from "./analysis_worker";

/** Clips with more bytes or seconds are loaded only when the user requests it. */
const MOST_BYTES = 24 << 20;
const MOST_SECONDS = 400;
// longer clips are decoded at a lower sample rate: at most 160 MB
const MOST_SAMPLES = 40_000_000;
const KEPT_BYTES = 96 << 20;
const LEAST_RATE = 8000;
const MOST_RATE = 96_000;

export function isLarge({ bytes, seconds }: AudioFacts): boolean {
  return bytes > MOST_BYTES || (seconds ?? 0) > MOST_SECONDS;
}

/** Sample rate for decoding: the clip's own, or a lower one for too many samples. */
export function decodedRate(facts: Pick<AudioFacts, "rate_hz" | "seconds" | "channels">): number {
  const rate = Math.max(LEAST_RATE, Math.min(MOST_RATE, facts.rate_hz ?? 44_100));
  const samples = (facts.seconds ?? 0) * rate * (facts.channels ?? 1);
  return samples <= MOST_SAMPLES ? rate : Math.max(LEAST_RATE, Math.floor((rate * MOST_SAMPLES) / samples));
}

// ---- the worker

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, (analysis: Analysis) => void>();

function analysed(channels: readonly Float32Array[], rateHz: number): Promise<Analysis> {
  if (worker === null) {
    worker = new Worker(new URL("./analysis_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      waiting.get(data.id)?.(data.analysis);
      waiting.delete(data.id);
    };
  }
  const id = ++asked;
  const question: Question = { id, channels, rateHz };
  worker.postMessage(
    question,
    channels.map(({ buffer }) => buffer as ArrayBuffer),
  );
  return new Promise((resolve) => waiting.set(id, resolve));
}

// ---- decoding

async function decoded(bytes: ArrayBuffer, facts: AudioFacts): Promise<Analysis> {
  const rateHz = decodedRate(facts);
  const context = new OfflineAudioContext(1, 1, rateHz);
  const buffer = await context.decodeAudioData(bytes);
  // transferred, not copied: copying ten minutes of samples would block the page
  return analysed(
    Array.from({ length: buffer.numberOfChannels }, (_, i) => buffer.getChannelData(i)),
    rateHz,
  );
}

const kept = new Map<string, Analysis>();

function sizeOf({ channels, spectrogram }: Analysis): number {
  return channels.length * 32_768 + spectrogram.levels.length;
}

function keep(address: string, analysis: Analysis): void {
  kept.set(address, analysis);
  let bytes = 0;
  for (const one of kept.values()) bytes += sizeOf(one);
  for (const [oldest, one] of kept) {
    if (bytes <= KEPT_BYTES || kept.size === 1) return;
    kept.delete(oldest);
    bytes -= sizeOf(one);
  }
}

// ---- state for a card

export type Clip = {
  readonly facts: ReadonlySignal<AudioFacts | null>;
  /** Null until it is ready, and if it is not possible. */
  readonly analysis: ReadonlySignal<Analysis | null>;
  /**
   * "large": waits for `load`. "undecodable": the browser does not support the format. "failed": the request failed.
   */
  readonly state: ReadonlySignal<"loading" | "ready" | "large" | "empty" | "undecodable" | "failed">;
  readonly message: ReadonlySignal<string>;
  readonly load: () => void;
};

// decoding needs much memory: two at a time
const queue = requestQueue(2);

type OpenClip = {
  readonly facts: Signal<AudioFacts | null>;
  readonly analysis: Signal<Analysis | null>;
  readonly state: Signal<Clip["state"]["value"]>;
  readonly message: Signal<string>;
  /** How often the user requested it. */
  readonly attempt: Signal<number>;
  readonly load: () => void;
};

function openClip(): OpenClip {
  const attempt = signal(0);
  const load = (): void => {
    attempt.value++;
  };
  return { facts: signal(null), analysis: signal(null), state: signal("loading"), message: signal(""), attempt, load };
}

/** Loads the clip at an address; the old analysis stays until the new one is ready. */
export function useClip(address: string | null, urgency: () => number): Clip {
  const clip = useMemo(openClip, [address === null]);
  const attempt = clip.attempt.value;
  useEffect(
    () => (address === null ? undefined : loadClip(clip, address, attempt > 0, urgency)),
    [address, attempt, clip],
  );
  return clip;
}

/** `large`: load it even if it is large. Returns a cancel function. */
function loadClip(clip: OpenClip, address: string, large: boolean, urgency: () => number): () => void {
  const known = kept.get(address);
  if (known === undefined) clip.state.value = "loading";
  let cancelled = false;
  let leaveQueue: (() => void) | null = null;
  const fail = (error: unknown): void => {
    if (cancelled) return;
    clip.state.value = "failed";
    clip.message.value = reasonOf(error);
  };
  const done = (analysis: Analysis): void => {
    keep(address, analysis);
    if (cancelled) return;
    clip.analysis.value = analysis;
    clip.state.value = "ready";
  };
  const decode = async (facts: AudioFacts, signal: AbortSignal): Promise<void> => {
    if (cancelled) return;
    try {
      const bytes = await blobBytes(address, signal);
      await decoded(bytes, facts).then(done, () => {
        if (!cancelled) clip.state.value = "undecodable";
      });
    } catch (error) {
      fail(error);
    }
  };
  audioFacts(address).then((facts) => {
    if (cancelled) return;
    clip.facts.value = facts;
    if (known !== undefined) done(known);
    else if (facts.bytes === 0) clip.state.value = "empty";
    else if (isLarge(facts) && !large) clip.state.value = "large";
    else leaveQueue = queue.add({ urgency, run: (signal) => decode(facts, signal) });
    if (facts.bytes === 0) clip.analysis.value = null;
  }, fail);
  return () => {
    cancelled = true;
    leaveQueue?.();
  };
}
