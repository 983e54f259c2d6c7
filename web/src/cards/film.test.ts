import { signal } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { DEFAULT_VIEW, view } from "../state/view";
import { addFilm, type Film, frameAt, seekFilm, stepFrames, timeOfFrame, toggleAll, togglePlay } from "./film";

const TIMES = [0, 0.1, 0.2, 0.3];

test("the frame at a time", () => {
  expect([0, 0.05, 0.1, 0.0999, 0.35, 9, -1].map((time) => frameAt(TIMES, time))).toEqual([0, 0, 1, 1, 3, 3, 0]);
  expect(frameAt([], 1)).toBe(-1);
});

test("frames are stepped by exactly one, to their middle", () => {
  let time = 0;
  const seen = [];
  for (let i = 0; i < 5; i++) {
    time = timeOfFrame(TIMES, 0.4, time, 1);
    seen.push(frameAt(TIMES, time));
  }
  expect(seen).toEqual([1, 2, 3, 3, 3]);
  expect(timeOfFrame(TIMES, 0.4, 0.3, 0)).toBeCloseTo(0.35);
  expect(timeOfFrame(TIMES, 0.4, 0.3, -9)).toBeCloseTo(0.05);
  expect(timeOfFrame([], 1, 0.5, 1)).toBeCloseTo(0.5 + 1 / 30);
  expect(timeOfFrame([], 1, 0, -1)).toBe(0);
});

type Told = Film & { readonly told: string[] };

function made(seconds: number, seen = true): Told {
  const playing = signal(false);
  const time = signal(0);
  const told: string[] = [];
  return {
    told,
    playing,
    time,
    seconds: signal(seconds),
    times: signal(TIMES),
    play: () => {
      playing.value = true;
    },
    pause: () => {
      playing.value = false;
    },
    seek: (to) => {
      time.value = to;
    },
    follow: (follows) => told.push(follows ? "follows" : "leads"),
    inSight: () => seen,
  };
}

const taken: (() => void)[] = [];

function add(seconds: number, seen = true): Told {
  const film = made(seconds, seen);
  taken.push(addFilm(film));
  return film;
}

afterEach(() => {
  for (const remove of taken.splice(0)) remove();
  view.value = DEFAULT_VIEW;
  vi.useRealTimers();
});

test("alone, a film moves no other", () => {
  const [one, other] = [add(2), add(2)];
  togglePlay(one);
  seekFilm(one, 1);
  expect([one.playing.value, other.playing.value, one.time.value, other.time.value]).toEqual([true, false, 1, 0]);
});

test("linked films play, seek and step together, those in sight", () => {
  view.value = { ...DEFAULT_VIEW, videoLink: true };
  const [one, other, away] = [add(2), add(2), add(2, false)];
  seekFilm(one, 0.1);
  togglePlay(one);
  expect([one, other, away].map((film) => film.playing.value)).toEqual([true, true, false]);
  stepFrames(one, 1);
  expect([one, other].map((film) => frameAt(TIMES, film.time.value))).toEqual([2, 2]);
  expect(one.playing.value).toBe(false);
});

test("all play from where the first is; the longest leads, and who strays is brought back", () => {
  vi.useFakeTimers();
  const [first, long, short] = [add(2), add(5), add(1)];
  first.seek(0.5);
  toggleAll();
  expect([first, long, short].map((film) => film.time.value)).toEqual([0.5, 0.5, 0.5]);
  expect([first, long, short].map(({ told }) => told.at(-1))).toEqual(["follows", "leads", "follows"]);
  long.seek(1.5);
  short.pause();
  vi.advanceTimersByTime(300);
  expect([first.time.value, short.time.value, short.playing.value]).toEqual([1.5, 1, false]);
  long.seek(0.2);
  // corrections are rate-limited
  vi.advanceTimersByTime(1000);
  expect([short.time.value, short.playing.value]).toEqual([0.2, true]);
  toggleAll();
  expect([first, long, short].some((film) => film.playing.value)).toBe(false);
});
