import { afterEach, expect, test, vi } from "vitest";
import { kinds, runs } from "./board";
import { type After, allPresent, inTurn, PresentTags } from "./present_tags";
import { tickAll, tickOnly } from "./runs";

/** A clock that the test advances. */
function manualClock(): { readonly after: After; readonly advance: (byMs: number) => Promise<void> } {
  let nowMs = 0;
  let planned: { readonly atMs: number; readonly work: () => void }[] = [];
  const after: After = (delayMs, work) => {
    const one = { atMs: nowMs + delayMs, work };
    planned.push(one);
    return () => {
      planned = planned.filter((other) => other !== one);
    };
  };
  const advance = async (byMs: number): Promise<void> => {
    nowMs += byMs;
    const due = planned.filter(({ atMs }) => atMs <= nowMs);
    planned = planned.filter(({ atMs }) => atMs > nowMs);
    for (const { work } of due) work();
    await settled();
  };
  return { after, advance };
}

/** Lets the responses of the stubbed server arrive. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

type Answer = () => Promise<Response>;
const tagsOnly =
  (...tags: readonly string[]): Answer =>
  () =>
    Promise.resolve(
      new Response(JSON.stringify({ version: 1, kinds: { scalars: { tag: tags, runs: tags.map(() => 1) } } })),
    );

function board(answer: Answer): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(answer);
  vi.stubGlobal("fetch", fetched);
  tickAll();
  runs.value = { version: 1, name: ["a", "b"], removed: [] } as unknown as typeof runs.value;
  kinds.value = { scalars: { tag: ["x", "y"], runs: [1, 1], display_name: {}, description: {}, plugin: {} } };
  return fetched;
}

const shown = (tags: PresentTags): readonly string[] | null => {
  const found = tags.of("scalars");
  return found === null ? null : [...found.keys()];
};

afterEach(() => {
  tickAll();
  vi.unstubAllGlobals();
});

test("nothing is asked when every tag must be in a run that is drawn", () => {
  expect(allPresent([3, 3], 0)).toBe(true);
  expect(allPresent([3, 3], 2)).toBe(true);
  expect(allPresent([3, 2], 2)).toBe(false);
  expect(allPresent([], 5)).toBe(true);
});

test("calls that arrive more often than the delay do not postpone the work", async () => {
  const { after, advance } = manualClock();
  const work = vi.fn(async () => {});
  const { soon } = inTurn(work, after);
  for (let i = 0; i < 10; i++) {
    soon();
    await advance(300);
  }
  expect(work).toHaveBeenCalledTimes(2);
});

test("work that takes long is not started twice, and the last call is not lost", async () => {
  const { after, advance } = manualClock();
  const done: (() => void)[] = [];
  const work = vi.fn(() => new Promise<void>((resolve) => done.push(resolve)));
  const { now, soon } = inTurn(work, after);
  now();
  soon();
  now();
  await advance(5000);
  expect(work).toHaveBeenCalledTimes(1);
  done.shift()?.();
  await settled();
  expect(work).toHaveBeenCalledTimes(2);
});

test("tags of runs that are drawn again are shown although the server is slow", async () => {
  const { after, advance } = manualClock();
  board(tagsOnly("x"));
  tickOnly(["a"]);
  const tags = new PresentTags(after);
  const stop = tags.follow("scalars");
  await settled();
  expect(shown(tags)).toEqual(["x"]);
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  tickOnly(["b"]);
  await advance(150);
  expect(shown(tags)).toBeNull();
  stop();
});

test("an answer about fewer runs than are drawn by now hides nothing", async () => {
  const { after } = manualClock();
  board(tagsOnly("x"));
  tickOnly(["a"]);
  const tags = new PresentTags(after);
  const stop = tags.follow("scalars");
  tickAll();
  await settled();
  expect(shown(tags)).toBeNull();
  stop();
});

test("a page that leaves after the next has come does not stop its question", async () => {
  const { after, advance } = manualClock();
  const fetched = board(tagsOnly("x"));
  const tags = new PresentTags(after);
  // the first request is sent without delay
  tags.follow("scalars")();
  await settled();
  const leave = tags.follow("images");
  tickOnly(["a"]);
  const stop = tags.follow("scalars");
  leave();
  fetched.mockClear();
  await advance(2000);
  expect(fetched).toHaveBeenCalledTimes(1);
  stop();
});
