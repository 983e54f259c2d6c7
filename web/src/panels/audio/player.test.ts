import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPlayer, type Player } from "./player";

/** Fake audio element with the members that a player uses; it plays immediately. */
class FakeAudio extends EventTarget {
  src = "";
  preload = "";
  volume = 1;
  loop = false;
  defaultPlaybackRate = 1;
  playbackRate = 1;
  currentTime = 0;
  duration = Number.NaN;
  ended = false;
  readyState = 4;
  paused = true;
  play(): Promise<void> {
    this.paused = false;
    return Promise.resolve();
  }
  pause(): void {
    this.paused = true;
  }
  load(): void {}
  removeAttribute(): void {
    this.src = "";
  }
  say(event: string): void {
    this.dispatchEvent(new Event(event));
  }
}

function opened(): { player: Player; close: () => void; a: FakeAudio; b: FakeAudio } {
  const made: FakeAudio[] = [];
  const { player, close } = createPlayer(() => {
    const element = new FakeAudio();
    made.push(element);
    return element as unknown as HTMLAudioElement;
  });
  const [a, b] = made;
  if (a === undefined || b === undefined) throw new Error("a player has two elements");
  return { player, close, a, b };
}

beforeEach(() => {
  vi.stubGlobal("requestAnimationFrame", () => 1);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("play and pause toggle", () => {
  const { player, a, close } = opened();
  player.load("a", "one");
  player.toggle();
  expect([player.playing.value, a.paused]).toEqual([true, false]);
  player.toggle();
  expect([player.playing.value, a.paused]).toEqual([false, true]);
  close();
});

test("only one player of the page plays", () => {
  const [first, second] = [opened(), opened()];
  first.player.load("a", "one");
  second.player.load("a", "two");
  first.player.toggle();
  second.player.toggle();
  expect([first.player.playing.value, second.player.playing.value]).toEqual([false, true]);
  first.close();
  second.close();
});

test("the other side goes on from the same position", () => {
  const { player, a, b, close } = opened();
  player.load("a", "one");
  player.load("b", "two");
  expect(b.preload).toBe("auto");
  player.toggle();
  player.seek(3);
  player.hear("b");
  expect([player.side.value, b.currentTime, a.paused, b.paused]).toEqual(["b", 3, true, false]);
  close();
});

test("a side without a clip is not heard", () => {
  const { player, close } = opened();
  player.load("a", "one");
  player.hear("b");
  expect(player.side.value).toBe("a");
  close();
});

test("when the second clip is taken away the first is heard again", () => {
  const { player, close } = opened();
  player.load("a", "one");
  player.load("b", "two");
  player.hear("b");
  player.load("b", null);
  expect(player.side.value).toBe("a");
  close();
});

test("another step of the same clip goes on where the last one was", () => {
  const { player, a, close } = opened();
  player.load("a", "one");
  player.toggle();
  player.seek(2);
  a.paused = true;
  a.currentTime = 0;
  player.load("a", "next");
  expect([a.src, a.currentTime, a.paused]).toEqual(["next", 2, false]);
  close();
});

test("seeking ends at the end, and never before the beginning", () => {
  const { player, a, close } = opened();
  player.load("a", "one");
  a.duration = 5;
  player.seek(9);
  expect(a.currentTime).toBe(5);
  player.seek(-1);
  expect([a.currentTime, player.time.value]).toEqual([0, 0]);
  close();
});

test("a clip that the browser refuses is marked until another one is loaded", () => {
  const { player, a, close } = opened();
  player.load("a", "one");
  player.toggle();
  a.say("error");
  expect([player.refused.value.has("a"), player.playing.value]).toEqual([true, false]);
  player.load("a", "next");
  expect(player.refused.value.has("a")).toBe(false);
  close();
});

test("events of the side that is not heard change nothing", () => {
  const { player, a, b, close } = opened();
  player.load("a", "one");
  player.load("b", "two");
  player.toggle();
  b.currentTime = 7;
  b.say("timeupdate");
  b.say("ended");
  expect([player.time.value, player.playing.value]).toEqual([0, true]);
  a.duration = 4;
  a.say("durationchange");
  expect(player.seconds.value).toBe(4);
  a.say("ended");
  expect(player.playing.value).toBe(false);
  close();
});

test("a pause by the system stops the player", () => {
  const { player, a, close } = opened();
  player.load("a", "one");
  player.toggle();
  a.say("pause");
  expect(player.playing.value).toBe(false);
  close();
});
