// Films (videos, moving pictures) as their controls see them, and what several of them do together: play in step, seek and
// step frame by frame at once.

import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { member } from "../state/view";

export type Film = {
  readonly playing: ReadonlySignal<boolean>;
  /** Seconds from the beginning. */
  readonly time: ReadonlySignal<number>;
  /** Its length, once known. */
  readonly seconds: ReadonlySignal<number | null>;
  /** When each frame is shown, in seconds, rising; empty where unknown. */
  readonly times: ReadonlySignal<readonly number[]>;
  readonly play: () => void;
  readonly pause: () => void;
  readonly seek: (seconds: number) => void;
  /** At its end it stops: another one says when to begin again. */
  readonly follow: (follows: boolean) => void;
  readonly inSight: () => boolean;
};

const linked = member("videoLink");

// ---- frames

/** Clocks of players are a little off. */
const SLACK_SECONDS = 0.0005;

/** The frame that is on display at a time; -1 where frames are unknown. */
export function frameAt(times: readonly number[], seconds: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= seconds + SLACK_SECONDS) low = middle + 1;
    else high = middle;
  }
  return times.length === 0 ? -1 : Math.max(0, low - 1);
}

// what most films have, for those that do not say
const USUAL_FRAME_SECONDS = 1 / 30;

/** A time within the frame so many further on; its middle, where no rounding leads into a neighbor. */
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
/** Changes when films come and go. */
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
  // every one is read: all are followed
  return [...films].filter((film) => film.playing.value).length > 0;
});

function inSight(): readonly Film[] {
  return [...films].filter((film) => film.inSight());
}

/** The film, or all in sight where they are linked. */
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
    // a looping video that is set to its last frame again starts from the beginning
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

// ---- playing in step

const together = new Set<Film>();
let timer: ReturnType<typeof setInterval> | undefined;
const CHECK_MS = 200;
// less is not seen, and each correction is a hitch: on a busy machine they would be all there is
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
