// A video element as a `Film`: its state as signals, with exact frame times if the browser reports them.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { requestQueue } from "../../base/request_queue";
import type { Film } from "../../cards/film";
import { isInSight } from "../../cards/gif_player";
import { type VideoFacts, videoFacts } from "../../state/media";
import { member } from "../../state/view";

const speed = member("videoSpeed");
const loop = member("videoLoop");
const sound = member("videoSound");

export type VideoFilm = Film & {
  readonly facts: ReadonlySignal<VideoFacts | null>;
  /** "refused": the browser cannot play it. */
  readonly state: ReadonlySignal<"loading" | "ready" | "empty" | "refused">;
  /** Number of frames shown so far. */
  readonly drawn: ReadonlySignal<number>;
  readonly attach: (element: HTMLVideoElement) => () => void;
  /**
   * `known`: load nothing before the facts have arrived, because the video may be empty. Videos wait for more urgent
   * ones.
   */
  readonly load: (address: string | null, known: boolean, urgency: () => number) => void;
  readonly close: () => void;
};

// a browser has six connections to a server; leave some for the rest of the page
const queue = requestQueue(4);
// a video that never loads stops blocking the others after this time
const PATIENCE_MS = 10_000;

/** `askFacts` requests the facts of a video. */
export function createVideoFilm(askFacts: (address: string) => Promise<VideoFacts> = videoFacts): VideoFilm {
  const reel = newReel(askFacts);
  const { playing, time, seconds, times, facts, state, drawn } = reel;
  return {
    playing,
    time,
    seconds,
    times,
    facts,
    state,
    drawn,
    play: () => play(reel),
    pause: () => {
      playing.value = false;
      reel.element?.pause();
    },
    seek: (to) => seek(reel, to),
    follow: (does) => {
      reel.follows = does;
      tune(reel);
    },
    inSight: () => {
      const { element } = reel;
      return element !== null && element.error === null && state.peek() === "ready" && isInSight(element);
    },
    close: () => reel.leaveQueue?.(),
    load: (next, known, urgency) => load(reel, next, known, urgency),
    attach: (element) => attach(reel, element),
  };
}

/** A video and its element. */
type Reel = {
  readonly playing: Signal<boolean>;
  readonly time: Signal<number>;
  readonly seconds: Signal<number | null>;
  readonly times: Signal<readonly number[]>;
  readonly facts: Signal<VideoFacts | null>;
  readonly state: Signal<VideoFilm["state"]["value"]>;
  readonly drawn: Signal<number>;
  readonly askFacts: (address: string) => Promise<VideoFacts>;
  /** Null while no element is attached. */
  element: HTMLVideoElement | null;
  /** Null: nothing to show. */
  address: string | null;
  /** Follows another video, which controls playback: must not loop by itself. */
  follows: boolean;
  /** Waits for its turn to load. */
  waits: boolean;
  leaveQueue: (() => void) | null;
  /** Ends its turn to load. */
  endTurn: (() => void) | null;
  /** Target of the next seek while a seek is running: a slider moves faster than videos are decoded. */
  nextSeek: number | null;
};

function newReel(askFacts: Reel["askFacts"]): Reel {
  return {
    playing: signal(false),
    time: signal(0),
    seconds: signal(null),
    times: signal([]),
    facts: signal(null),
    state: signal("loading"),
    drawn: signal(0),
    askFacts,
    element: null,
    address: null,
    follows: false,
    waits: false,
    leaveQueue: null,
    endTurn: null,
    nextSeek: null,
  };
}

/** Applies the user's settings for all videos. */
function tune({ element, follows }: Reel): void {
  if (element === null) return;
  element.muted = !sound.peek();
  element.loop = loop.peek() && !follows;
  element.defaultPlaybackRate = speed.peek();
  element.playbackRate = speed.peek();
}

function seek(reel: Reel, to: number): void {
  const { element } = reel;
  reel.time.value = to;
  if (element === null) return;
  if (element.error !== null) begin(reel);
  else if (element.seeking) reel.nextSeek = to;
  else element.currentTime = to;
}

/** Updates `time`, except during a seek, when it already is the target. */
function showTime(reel: Reel, now: number): void {
  if (reel.element?.seeking !== true && reel.nextSeek === null) reel.time.value = now;
}

function play(reel: Reel): void {
  const { element, playing } = reel;
  playing.value = true;
  if (element !== null && element.error !== null) {
    // a truncated video failed at its end: restart it
    reel.time.value = 0;
    begin(reel);
    return;
  }
  element?.play().catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === "AbortError")) playing.value = false;
  });
}

function load(reel: Reel, address: string | null, known: boolean, urgency: () => number): void {
  if (address === reel.address) return;
  reel.address = address;
  reel.leaveQueue?.();
  reel.facts.value = null;
  reel.nextSeek = null;
  reel.state.value = "loading";
  reel.waits = true;
  if (address === null) return;
  if (known) loadFacts(reel, address, urgency);
  else takeTurn(reel, urgency);
}

function takeTurn(reel: Reel, urgency: () => number): void {
  reel.leaveQueue?.();
  reel.leaveQueue = queue.add({
    urgency,
    run: (signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        reel.endTurn = resolve;
        signal.addEventListener("abort", () => resolve());
        setTimeout(resolve, PATIENCE_MS);
        reel.waits = false;
        begin(reel);
        if (reel.facts.peek() === null && reel.address !== null) loadFacts(reel, reel.address, null);
      }),
  });
}

/** `urgency` of the turn it takes when the facts have arrived; null: it has had its turn. */
function loadFacts(reel: Reel, address: string, urgency: (() => number) | null): void {
  reel.askFacts(address).then(
    (facts) => {
      if (reel.address !== address) return;
      reel.facts.value = facts;
      reel.times.value = facts.times;
      if (facts.seconds !== null) reel.seconds.value = facts.seconds;
      if (facts.bytes === 0) reel.state.value = "empty";
      else if (urgency !== null) takeTurn(reel, urgency);
    },
    () => {
      if (reel.address !== address) return;
      // without facts a frame is assumed to take 1/30 s
      reel.times.value = [];
      if (urgency !== null) takeTurn(reel, urgency);
    },
  );
}

function begin(reel: Reel): void {
  const { element, address, waits, time, playing } = reel;
  if (element === null || address === null || waits) return;
  const at = time.peek();
  element.src = address;
  tune(reel);
  if (at > 0) element.currentTime = at;
  if (playing.peek()) play(reel);
}

/** Returns a function that detaches the element. */
function attach(reel: Reel, element: HTMLVideoElement): () => void {
  reel.element = element;
  const stop = new AbortController();
  for (const [name, handle] of Object.entries(handlersOf(reel, element))) {
    element.addEventListener(name, handle, { signal: stop.signal });
  }
  const stopFrames = followFrames(reel, element);
  const stopTuning = effect(() => {
    void [speed.value, loop.value, sound.value];
    tune(reel);
  });
  begin(reel);
  return () => {
    stop.abort();
    stopTuning();
    stopFrames();
    element.pause();
    element.removeAttribute("src");
    element.load();
    reel.element = null;
  };
}

function handlersOf(reel: Reel, element: HTMLVideoElement): Readonly<Record<string, () => void>> {
  const { playing, seconds, state, drawn } = reel;
  return {
    loadeddata: () => {
      reel.endTurn?.();
      state.value = "ready";
      drawn.value++;
    },
    durationchange: () => {
      if (Number.isFinite(element.duration)) seconds.value = element.duration;
    },
    timeupdate: () => showTime(reel, element.currentTime),
    seeked: () => {
      const next = reel.nextSeek;
      reel.nextSeek = null;
      if (next === null) showTime(reel, element.currentTime);
      else element.currentTime = next;
      drawn.value++;
    },
    play: () => {
      playing.value = true;
    },
    pause: () => {
      // changing the source also pauses the element
      if (element.readyState > 2 && !element.seeking) playing.value = false;
    },
    ended: () => {
      playing.value = false;
    },
    error: () => {
      if (reel.address === null || element.getAttribute("src") === null) return;
      reel.endTurn?.();
      playing.value = false;
      // a truncated video still shows its first frames
      if (state.peek() === "loading") state.value = "refused";
    },
  };
}

/** Updates the time for each frame, if the browser reports frames. */
function followFrames(reel: Reel, element: HTMLVideoElement): () => void {
  if (!("requestVideoFrameCallback" in element)) return () => {};
  const onFrame = (_: number, { mediaTime }: { readonly mediaTime: number }): void => {
    showTime(reel, mediaTime);
    requested = element.requestVideoFrameCallback(onFrame);
  };
  let requested = element.requestVideoFrameCallback(onFrame);
  return () => element.cancelVideoFrameCallback(requested);
}
