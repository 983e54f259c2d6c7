import { expect, test } from "vitest";
import type { VideoFacts } from "../../state/media";
import { createVideoFilm, type VideoFilm } from "./video_film";

/** Fake video element with the members that a film uses. */
class FakeVideo extends EventTarget {
  error: unknown = null;
  #src = "";
  muted = false;
  loop = false;
  defaultPlaybackRate = 1;
  playbackRate = 1;
  currentTime = 0;
  duration = Number.NaN;
  seeking = false;
  readyState = 4;
  paused = true;
  get src(): string {
    return this.#src;
  }
  set src(address: string) {
    this.#src = address;
    // browsers do this, too
    this.error = null;
  }
  play(): Promise<void> {
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {}
  getAttribute(): string | null {
    return this.src === "" ? null : this.src;
  }
  removeAttribute(): void {
    this.src = "";
  }
  say(event: string): void {
    this.dispatchEvent(new Event(event));
  }
}

function factsOf(facts: Partial<VideoFacts>): VideoFacts {
  return { bytes: 100, seconds: 2, times: [0, 1], content_type: "video/mp4", ...facts } as VideoFacts;
}

async function settled(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
}

function opened(facts: Partial<VideoFacts> | Error = {}): { film: VideoFilm; video: FakeVideo; take: () => void } {
  const film = createVideoFilm(() =>
    facts instanceof Error ? Promise.reject(facts) : Promise.resolve(factsOf(facts)),
  );
  const video = new FakeVideo();
  const take = film.attach(video as unknown as HTMLVideoElement);
  return { film, video, take };
}

const now = (): number => 0;

test("a film is loading, then ready, and knows its frames", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  expect([film.state.value, video.src]).toEqual(["loading", "one"]);
  video.say("loadeddata");
  expect([film.state.value, film.drawn.value]).toEqual(["ready", 1]);
  expect([film.times.value, film.seconds.value]).toEqual([[0, 1], 2]);
  take();
});

test("an empty film is not loaded", async () => {
  const { film, video, take } = opened({ bytes: 0 });
  film.load("one", true, now);
  await settled();
  expect([film.state.value, video.src]).toEqual(["empty", ""]);
  take();
});

test("a film without facts is loaded all the same", async () => {
  const { film, video, take } = opened(new Error("gone"));
  film.load("one", true, now);
  await settled();
  expect(video.src).toBe("one");
  video.say("loadeddata");
  take();
});

test("a film that the browser cannot play is refused; one that breaks later stays", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  video.say("error");
  expect([film.state.value, film.playing.value]).toEqual(["refused", false]);
  film.load("two", false, now);
  await settled();
  video.say("loadeddata");
  film.play();
  video.say("error");
  expect([film.state.value, film.playing.value]).toEqual(["ready", false]);
  take();
});

test("while a seek is under way only the last wish is kept", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  video.say("loadeddata");
  film.seek(1);
  video.seeking = true;
  film.seek(2);
  film.seek(3);
  expect([video.currentTime, film.time.value]).toEqual([1, 3]);
  video.seeking = false;
  video.say("seeked");
  expect([video.currentTime, film.time.value]).toEqual([3, 3]);
  video.say("seeked");
  expect(film.time.value).toBe(3);
  take();
});

test("the time of a frame during a seek is not shown", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  video.say("loadeddata");
  film.seek(1.5);
  video.seeking = true;
  video.currentTime = 0.2;
  video.say("timeupdate");
  expect(film.time.value).toBe(1.5);
  take();
});

test("a broken film plays from the beginning again", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  video.say("loadeddata");
  film.seek(1.5);
  video.src = "";
  video.error = { code: 3 };
  film.play();
  expect([video.src, film.time.value]).toEqual(["one", 0]);
  take();
});

test("a film that follows another one does not loop by itself", async () => {
  const { film, video, take } = opened();
  film.load("one", false, now);
  await settled();
  film.follow(true);
  expect(video.loop).toBe(false);
  take();
  expect(video.src).toBe("");
});
