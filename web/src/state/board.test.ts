// Tests how the page follows the board: with a fake server, a stream to which the test pushes, and a fake clock. Each
// test has its own board. merging.test.ts tests how responses are merged.

import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Change } from "../api/client";
import { loadSentences } from "./sentences";

beforeAll(loadSentences);

type Answer = object | number | "unreachable";

/** The responses of the fake server; a number is an HTTP error. */
type Server = { board: Answer; runs: Answer; tags: Answer };

const PROGRESS = { done: true };

const BOARD = { session: "s1", version: 5, name: "demo", progress: PROGRESS, faults: 0 };

function runsOf(names: readonly string[], more: object = {}): object {
  const column = (value: unknown): readonly unknown[] => names.map(() => value);
  return {
    version: 5,
    name: names,
    id: column(""),
    start_time: column(0),
    last_time: column(0),
    duration: column(0),
    state: column("finished"),
    files: column(1),
    faults: column(0),
    slot: column(0),
    removed: [],
    total: names.length,
    ...more,
  };
}

function tagsOf(scalars: readonly string[], runs = 1): object {
  const columns = { tag: scalars, runs: scalars.map(() => runs), display_name: {}, description: {}, plugin: {} };
  return { version: 5, kinds: { scalars: columns } };
}

function change(more: Partial<Change> = {}): Change {
  const base = { session: "s1", version: 6, runs: [], tags: {}, progress: PROGRESS, faults: 0 };
  return { ...base, ...more } as unknown as Change;
}

class FakeStream {
  static all: FakeStream[] = [];
  static CLOSED = 2;
  readyState = 0;
  closed = false;
  onopen: () => void = () => {};
  onerror: () => void = () => {};
  private onChange: (event: { lastEventId: string; data: string }) => void = () => {};

  constructor(readonly address: string) {
    FakeStream.all.push(this);
  }

  addEventListener(_: string, listener: FakeStream["onChange"]): void {
    this.onChange = listener;
  }

  push(one: Change, lastEventId = `${one.session}-${one.version}`): void {
    this.onChange({ lastEventId, data: JSON.stringify(one) });
  }

  close(): void {
    this.closed = true;
  }
}

/** Requests since the last call, as "GET board" or "POST runs {…}". */
let requests: string[] = [];
let server: Server;
/** Response time of the server in milliseconds. */
let slowMs = 0;
const page = { hidden: false, listeners: new Map<string, () => void>() };

function respond(answer: Answer): Response {
  if (answer === "unreachable") throw new TypeError("fetch failed");
  if (typeof answer === "number") return new Response("{}", { status: answer, statusText: "No" });
  return new Response(JSON.stringify(answer));
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  requests = [];
  slowMs = 0;
  server = { board: BOARD, runs: runsOf(["a", "b"]), tags: tagsOf(["loss"]) };
  FakeStream.all = [];
  page.hidden = false;
  page.listeners.clear();
  const addEventListener = (name: string, listener: () => void): void => void page.listeners.set(name, listener);
  vi.stubGlobal("document", {
    get hidden() {
      return page.hidden;
    },
    addEventListener,
    getElementById: () => null, // no snapshot
  });
  vi.stubGlobal("window", { addEventListener });
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const name = address.slice("api/".length) as keyof Server;
    requests.push([init.method ?? "GET", name, ...(init.body === undefined ? [] : [init.body])].join(" "));
    const answer = server[name];
    if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
    return respond(answer);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const taken = (): string[] => requests.splice(0);
const wait = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const stream = (): FakeStream => FakeStream.all.at(-1) as FakeStream;

/** A board that is loaded and connected. */
async function live() {
  const board = await import("./board");
  board.follow();
  await wait();
  stream().onopen();
  taken();
  return board;
}

// ---- the first load

test("the board, its runs and its tags are loaded at once, then the stream is opened from there", async () => {
  const board = await import("./board");
  board.follow();
  await wait();
  expect(taken().sort()).toEqual(["GET board", "GET runs", "GET tags"]);
  expect(board.board.value?.name).toBe("demo");
  expect(board.runs.value?.name).toEqual(["a", "b"]);
  expect(board.kindsKnown.value).toBe(true);
  expect([...board.rowOfRun.value]).toEqual([
    ["a", 0],
    ["b", 1],
  ]);
  expect(stream().address).toBe("api/events?since=s1-5");
  expect(board.connection.value).toBe("connecting");
  stream().onopen();
  expect(board.connection.value).toBe("live");
});

test("a server that does not answer is asked again after three seconds", async () => {
  server.board = "unreachable";
  const board = await import("./board");
  board.follow();
  await wait();
  expect(board.connection.value).toBe("lost");
  expect(board.problem.value?.kind).toBe("unreachable");
  server.board = BOARD;
  await wait(3000);
  expect(board.problem.value).toBeNull();
  expect(board.board.value?.name).toBe("demo");
});

test("what has been answered is shown although another question failed", async () => {
  server.tags = 500;
  const board = await import("./board");
  board.follow();
  await wait(100);
  expect(board.runs.value?.name).toEqual(["a", "b"]);
  expect(board.problem.value).toMatchObject({ kind: "other", message: "500 No" });
});

test("a refused question says so", async () => {
  server.board = 403;
  const board = await import("./board");
  await board.refresh();
  expect(board.problem.value?.kind).toBe("refused");
});

test("only the newest load of everything counts", async () => {
  const board = await import("./board");
  server.runs = runsOf(["old"]);
  slowMs = 1000;
  const first = board.refresh();
  slowMs = 0;
  server.runs = runsOf(["new"]);
  const second = board.refresh();
  await wait(2000);
  await Promise.all([first, second]);
  expect(board.runs.value?.name).toEqual(["new"]);
  expect(board.refreshing.value).toBe(false);
});

// ---- changes

test("a change of runs loads the runs that changed", async () => {
  const board = await live();
  server.runs = runsOf(["b"], { version: 6, state: ["crashed"] });
  stream().push(change({ runs: ["b"] }));
  await wait();
  expect(taken()).toEqual(['POST runs {"since":5}']);
  expect(board.runs.value?.state).toEqual(["finished", "crashed"]);
});

test("listeners hear of every change until they stop", async () => {
  const board = await live();
  const heard: number[] = [];
  const stop = board.onChange(({ version }) => heard.push(version));
  stream().push(change({ version: 7 }));
  stop();
  stream().push(change({ version: 8 }));
  expect(heard).toEqual([7]);
});

test("a change that names no run and no tag, such as a source that fails, loads the board only", async () => {
  const board = await live();
  server.board = { ...BOARD, faults: 3 };
  stream().push(change({ faults: 3 }));
  await wait(10_000);
  expect(taken()).toEqual(["GET board"]);
  expect(board.faults.value).toBe(3);
});

test("a new tag loads the tags that changed", async () => {
  const board = await live();
  server.tags = tagsOf(["accuracy"]);
  stream().push(change({ tags: { scalars: ["accuracy"] } }));
  await wait();
  expect(taken()).toEqual(["GET board", 'POST tags {"since":5}']);
  expect(board.kinds.value.scalars?.tag).toEqual(["accuracy", "loss"]);
});

test("a known tag is counted again five seconds later", async () => {
  const board = await live();
  server.tags = tagsOf(["loss"], 2);
  stream().push(change({ tags: { scalars: ["loss"] } }));
  await wait(4900);
  expect(taken()).toEqual([]);
  await wait(200);
  expect(taken()).toEqual(['POST tags {"since":5}']);
  expect(board.kinds.value.scalars?.runs).toEqual([2]);
});

test("a run that came may have brought tags, one that went may have taken all of its tags along", async () => {
  const board = await live();
  server.runs = runsOf(["c"], { version: 6 });
  stream().push(change({ runs: ["c"] }));
  await wait();
  expect(taken()).toEqual(['POST runs {"since":5}', 'POST tags {"since":5}']);
  expect(board.runs.value?.name).toEqual(["a", "b", "c"]);
  server.runs = runsOf([], { version: 7, removed: ["a"] });
  stream().push(change({ runs: ["a"] }));
  await wait(1000);
  expect(taken()).toEqual(['POST runs {"since":6}', "GET tags"]);
  expect(board.runs.value?.name).toEqual(["b", "c"]);
});

test("many changes in a short time are answered together", async () => {
  await live();
  for (let version = 6; version < 16; version++) stream().push(change({ version, runs: ["a"] }));
  await wait(299);
  expect(taken().length).toBe(1);
  await wait(100);
  expect(taken().length).toBe(1);
});

test("the end of the first scan loads the board again", async () => {
  server.board = { ...BOARD, progress: { done: false } };
  await live();
  stream().push(change());
  await wait();
  expect(taken()).toEqual(["GET board"]);
});

test("what could not be loaded is loaded with the next change", async () => {
  const board = await live();
  server.runs = "unreachable";
  stream().push(change({ runs: ["a"] }));
  await wait(1000);
  expect(board.problem.value?.kind).toBe("unreachable");
  server.runs = runsOf([], { version: 7 });
  taken();
  stream().push(change({ tags: { scalars: ["new"] } }));
  await wait(1000);
  expect(taken()).toEqual(["GET board", 'POST runs {"since":5}', 'POST tags {"since":5}']);
  expect(board.problem.value).toBeNull();
});

test("a restart of the server loads everything again", async () => {
  const board = await live();
  const heard: string[] = [];
  board.onChange(({ session }) => heard.push(session));
  server.board = { ...BOARD, session: "s2" };
  stream().push(change({ session: "s2", version: 1, runs: "all" }));
  await wait();
  expect(taken().sort()).toEqual(["GET board", "GET runs", "GET tags"]);
  expect(heard).toEqual(["s2"]);
  stream().push(change({ session: "s2", version: 2, runs: ["a"] }));
  await wait(1000);
  expect(taken()).toEqual(['POST runs {"since":5}']);
});

// ---- the connection

test("a stream that breaks is lost, and the server is asked why once", async () => {
  const board = await live();
  server.board = 401;
  stream().onerror();
  stream().onerror();
  await wait();
  expect(board.connection.value).toBe("lost");
  expect(taken()).toEqual(["GET board"]);
  expect(board.problem.value?.kind).toBe("refused");
  stream().onopen();
  expect(board.connection.value).toBe("live");
});

test("an unreachable server is not a new problem: the connection shows it", async () => {
  const board = await live();
  server.board = "unreachable";
  stream().onerror();
  await wait();
  expect(board.problem.value).toBeNull();
});

test("reconnecting opens a stream from the last message and loads everything", async () => {
  const board = await live();
  const first = stream();
  first.push(change({ version: 9 }));
  first.onerror();
  await wait();
  taken();
  board.reconnect();
  await wait();
  expect(first.closed).toBe(true);
  expect(stream().address).toBe("api/events?since=s1-9");
  expect(taken().length).toBe(3);
});

test("a live stream stays when the reader asks for everything again", async () => {
  const board = await live();
  board.reconnect();
  await wait();
  expect(FakeStream.all.length).toBe(1);
  expect(taken().length).toBe(3);
});

test("a hidden page rests, and goes on from the last message it has seen", async () => {
  const board = await live();
  const first = stream();
  first.push(change({ version: 9 }));
  page.hidden = true;
  page.listeners.get("visibilitychange")?.();
  expect(board.connection.value).toBe("resting");
  expect(first.closed).toBe(true);
  page.hidden = false;
  page.listeners.get("visibilitychange")?.();
  expect(board.connection.value).toBe("connecting");
  expect(stream().address).toBe("api/events?since=s1-9");
});

test("a page that is opened hidden opens its stream when it is seen", async () => {
  page.hidden = true;
  const board = await import("./board");
  board.follow();
  await wait();
  expect(board.connection.value).toBe("resting");
  expect(FakeStream.all).toEqual([]);
  page.hidden = false;
  page.listeners.get("visibilitychange")?.();
  expect(stream().address).toBe("api/events?since=s1-5");
});

// ---- what the server does not push

test("an empty board looks every four seconds whether it still is", async () => {
  server.runs = runsOf([]);
  server.tags = { version: 5, kinds: {} };
  await live();
  await wait(4000);
  expect(taken()).toEqual(["GET board"]);
});

test("runs that fell silent are finished when the server no longer lists them as alive", async () => {
  server.runs = runsOf(["a", "b"], { state: ["running", "running"] });
  const board = await live();
  server.runs = runsOf(["b"], { state: ["idle"] });
  await wait(32_000);
  expect(taken().length).toBe(1);
  expect(board.runs.value?.state).toEqual(["finished", "idle"]);
  await wait(4000);
  expect(taken().length).toBe(1);
});

test("a hidden page does not look for silent runs", async () => {
  server.runs = runsOf(["a"], { state: ["running"] });
  await live();
  page.hidden = true;
  await wait(60_000);
  expect(taken()).toEqual([]);
});
