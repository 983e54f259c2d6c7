// Interface of films (videos, animated images) for their controls, and functions that play, seek and step several films
// in sync.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { member } from "../state/view";

export type Film = {
  readonly playing: ReadonlySignal<boolean>;
  /** Seconds from the beginning. */
  readonly time: ReadonlySignal<number>;
  /** Its duration; null while unknown. */
  readonly seconds: ReadonlySignal<number | null>;
  /** Start time of each frame in seconds, ascending; empty if unknown. */
  readonly times: ReadonlySignal<readonly number[]>;
  readonly play: () => void;
  readonly pause: () => void;
  readonly seek: (seconds: number) => void;
  /** A film that follows stops at its end; the leading film decides when it starts again. */
  readonly follow: (follows: boolean) => void;
  readonly inSight: () => boolean;
};

const linked = member("videoLink");

// ---- frames

/** Tolerance: times reported by players are slightly inexact. */
const SLACK_SECONDS = 0.0005;

/** Returns the index of the frame shown at a time; -1 if frames are unknown. */
export function frameAt(times: readonly number[], seconds: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= seconds + SLACK_SECONDS) low = middle + 1;
    else high = middle;
  }
  return times.length === 0 ? -1 : Math.max(0, low - 1);
}

// assumed frame duration if a film does not report its frames
const USUAL_FRAME_SECONDS = 1 / 30;

/** Returns a time inside the frame `by` frames later: its middle, so that rounding cannot select a neighbor. */
export function timeOfFrame(times: readonly number[], length: number | null, seconds: number, by: number): number {
  const at = frameAt(times, seconds);
  if (at === -1) return Math.max(0, Math.min(length ?? Number.POSITIVE_INFINITY, seconds + by * USUAL_FRAME_SECONDS));
  const to = Math.max(0, Math.min(times.length - 1, at + by));
  const begin = times[to] ?? 0;
  const end = times[to + 1] ?? Math.max(length ?? 0, begin + 0.001);
  return (begin + end) / 2;
}

// ---- all films of the page

const films = new Set<Film>();
/** Changes when films are added or removed. */
const generation = signal(0);

export function addFilm(film: Film): () => void {
  films.add(film);
  generation.value++;
  return () => {
    films.delete(film);
    film.pause();
    together.delete(film);
    if (together.size === 0) stopKeeping();
    generation.value++;
  };
}

export const filmCount = computed(() => {
  void generation.value;
  return films.size;
});

export const anyPlaying = computed(() => {
  void generation.value;
  // filter() reads every film, so that this signal depends on all of them
  return [...films].filter((film) => film.playing.value).length > 0;
});

function inSight(): readonly Film[] {
  return [...films].filter((film) => film.inSight());
}

/** Returns the film, or all visible films if films are linked. */
function moved(film: Film): readonly Film[] {
  return linked.peek() ? [...new Set([film, ...inSight()])] : [film];
}

export function togglePlay(film: Film): void {
  const all = moved(film);
  if (film.playing.peek()) {
    for (const one of all) one.pause();
    return;
  }
  if (all.length > 1) startTogether(all, film.time.peek());
  else {
    together.delete(film);
    film.follow(false);
    film.play();
  }
}

export function seekFilm(film: Film, seconds: number): void {
  for (const one of moved(film)) one.seek(Math.min(seconds, one.seconds.peek() ?? seconds));
}

export function stepFrames(film: Film, by: number): void {
  for (const one of moved(film)) {
    one.pause();
    const [times, now] = [one.times.peek(), one.time.peek()];
    const to = timeOfFrame(times, one.seconds.peek(), now, by);
    // seeking a looping video to its last frame a second time would restart it
    if (times.length === 0 || frameAt(times, to) !== frameAt(times, now)) one.seek(to);
  }
}

export function toggleAll(): void {
  if (anyPlaying.peek()) {
    for (const film of films) film.pause();
    return;
  }
  const all = inSight();
  const [first] = all;
  if (first !== undefined) startTogether(all, first.time.peek());
}

// ---- playing in sync

const together = new Set<Film>();
let timer: ReturnType<typeof setInterval> | undefined;
const CHECK_MS = 200;
// smaller differences are not visible, and each correction interrupts playback, which is worse on a busy machine
const MOST_APART_SECONDS = 0.12;
const CORRECTED_EVERY_MS = 800;
const corrected = new WeakMap<Film, number>();

function startTogether(all: readonly Film[], seconds: number): void {
  together.clear();
  const leader = longest(all);
  const ended = leader !== undefined && seconds >= (leader.seconds.peek() ?? Number.POSITIVE_INFINITY) - 0.02;
  const from = ended ? 0 : seconds;
  for (const film of all) {
    together.add(film);
    film.follow(film !== leader);
    film.seek(Math.min(from, film.seconds.peek() ?? from));
    if (from < (film.seconds.peek() ?? Number.POSITIVE_INFINITY)) film.play();
  }
  if (timer === undefined) timer = setInterval(keepTogether, CHECK_MS);
}

function stopKeeping(): void {
  clearInterval(timer);
  timer = undefined;
}

function longest(all: Iterable<Film>): Film | undefined {
  let found: Film | undefined;
  for (const film of all) {
    if (found === undefined || (film.seconds.peek() ?? 0) > (found.seconds.peek() ?? 0)) found = film;
  }
  return found;
}

function keepTogether(): void {
  const leader = longest(together);
  if (leader === undefined || !leader.playing.peek()) {
    for (const film of together) film.follow(false);
    together.clear();
    stopKeeping();
    return;
  }
  const now = leader.time.peek();
  for (const film of together) {
    if (film === leader) continue;
    const target = Math.min(now, film.seconds.peek() ?? now);
    const waits = now >= (film.seconds.peek() ?? Number.POSITIVE_INFINITY);
    const due = performance.now() - (corrected.get(film) ?? Number.NEGATIVE_INFINITY) >= CORRECTED_EVERY_MS;
    if (due && Math.abs(film.time.peek() - target) > MOST_APART_SECONDS) {
      corrected.set(film, performance.now());
      film.seek(target);
    }
    if (!waits && !film.playing.peek()) film.play();
  }
}
