// A video element as a film: its state as signals, frames told exactly where the browser can.

import { effect, type ReadonlySignal, signal } from "@preact/signals";
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
  /** How many frames were put on screen so far. */
  readonly drawn: ReadonlySignal<number>;
  readonly attach: (element: HTMLVideoElement) => () => void;
  /** `known`: nothing is loaded before its facts are there, as it may be empty. Films wait for more urgent ones. */
  readonly load: (address: string | null, known: boolean, urgency: () => number) => void;
  readonly close: () => void;
};

// a browser has six connections to a server; some are left for the rest of the page
const queue = requestQueue(4);
// one that never comes keeps the others waiting no longer
const PATIENCE_MS = 10_000;

export function createVideoFilm(): VideoFilm {
  const playing = signal(false);
  const time = signal(0);
  const seconds = signal<number | null>(null);
  const times = signal<readonly number[]>([]);
  const facts = signal<VideoFacts | null>(null);
  const state = signal<VideoFilm["state"]["value"]>("loading");
  const drawn = signal(0);
  let element: HTMLVideoElement | null = null;
  let address: string | null = null;
  let follows = false;
  /** Not its turn yet. */
  let waits = false;
  let leaveQueue: (() => void) | null = null;
  /** Ends its turn. */
  let settle: (() => void) | null = null;
  /** Where to seek next, while the last seek is under way: a slider asks faster than videos are decoded. */
  let wished: number | null = null;

  function tune(): void {
    if (element === null) return;
    element.muted = !sound.peek();
    element.loop = loop.peek() && !follows;
    element.defaultPlaybackRate = speed.peek();
    element.playbackRate = speed.peek();
  }

  function go(to: number): void {
    time.value = to;
    if (element === null) return;
    if (element.error !== null) begin();
    else if (element.seeking) wished = to;
    else element.currentTime = to;
  }

  function show(now: number): void {
    // a seek that is under way says where it goes
    if (element?.seeking !== true && wished === null) time.value = now;
  }

  function play(): void {
    playing.value = true;
    if (element !== null && element.error !== null) {
      // a cut film broke where it ends: from the beginning
      time.value = 0;
      begin();
      return;
    }
    element?.play().catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === "AbortError")) playing.value = false;
    });
  }

  function takeTurn(urgency: () => number): void {
    leaveQueue?.();
    leaveQueue = queue.add({
      urgency,
      run: (signal) =>
        new Promise((resolve) => {
          if (signal.aborted) return resolve();
          settle = resolve;
          signal.addEventListener("abort", () => resolve());
          setTimeout(resolve, PATIENCE_MS);
          waits = false;
          begin();
          if (facts.peek() === null && address !== null) askFacts(address, null);
        }),
    });
  }

  /** `then` takes its turn when they are there. */
  function askFacts(of: string, then: (() => number) | null): void {
    videoFacts(of).then(
      (found) => {
        if (address !== of) return;
        facts.value = found;
        times.value = found.times;
        if (found.seconds !== null) seconds.value = found.seconds;
        if (found.bytes === 0) state.value = "empty";
        else if (then !== null) takeTurn(then);
      },
      () => {
        if (address !== of) return;
        // without them a frame is a thirtieth of a second
        times.value = [];
        if (then !== null) takeTurn(then);
      },
    );
  }

  function begin(): void {
    if (element === null || address === null || waits) return;
    const at = time.peek();
    element.src = address;
    tune();
    if (at > 0) element.currentTime = at;
    if (playing.peek()) play();
  }

  return {
    playing,
    time,
    seconds,
    times,
    facts,
    state,
    drawn,
    play,
    pause: () => {
      playing.value = false;
      element?.pause();
    },
    seek: go,
    follow: (does) => {
      follows = does;
      tune();
    },
    inSight: () => element !== null && element.error === null && state.peek() === "ready" && isInSight(element),
    close: () => leaveQueue?.(),
    load: (next, known, urgency) => {
      if (next === address) return;
      address = next;
      leaveQueue?.();
      facts.value = null;
      wished = null;
      state.value = "loading";
      waits = true;
      if (next === null) return;
      if (known) askFacts(next, urgency);
      else takeTurn(urgency);
    },
    attach: (made) => {
      element = made;
      const stop = new AbortController();
      const on = (name: string, work: () => void): void => made.addEventListener(name, work, { signal: stop.signal });
      on("loadeddata", () => {
        settle?.();
        state.value = "ready";
        drawn.value++;
      });
      on("durationchange", () => {
        if (Number.isFinite(made.duration)) seconds.value = made.duration;
      });
      on("timeupdate", () => show(made.currentTime));
      on("seeked", () => {
        const next = wished;
        wished = null;
        if (next === null) show(made.currentTime);
        else made.currentTime = next;
        drawn.value++;
      });
      on("play", () => {
        playing.value = true;
      });
      on("pause", () => {
        // between two steps the old source is paused, too
        if (made.readyState > 2 && !made.seeking) playing.value = false;
      });
      on("ended", () => {
        playing.value = false;
      });
      on("error", () => {
        if (address === null || made.getAttribute("src") === null) return;
        settle?.();
        playing.value = false;
        // of a cut film there is something to see
        if (state.peek() === "loading") state.value = "refused";
      });
      let asked = 0;
      const onFrame = (_: number, told: { readonly mediaTime: number }): void => {
        show(told.mediaTime);
        asked = made.requestVideoFrameCallback(onFrame);
      };
      if ("requestVideoFrameCallback" in made) asked = made.requestVideoFrameCallback(onFrame);
      const away = effect(() => {
        void [speed.value, loop.value, sound.value];
        tune();
      });
      begin();
      return () => {
        stop.abort();
        away();
        if (asked !== 0) made.cancelVideoFrameCallback(asked);
        made.pause();
        made.removeAttribute("src");
        made.load();
        element = null;
      };
    },
  };
}
