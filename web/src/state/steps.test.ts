import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { runs } from "./board";
import { drawnRuns, tick, tickAll } from "./runs";
import { loadSentences } from "./sentences";
import { stepsIn, stepsOf } from "./steps";
import { changeView, DEFAULT_VIEW, view } from "./view";

beforeAll(loadSentences);

type Body = { readonly kind: string; readonly tag: string[]; readonly run?: string[]; readonly rewinds?: string };

/** Returns a frame with steps 0, 10, 20 for every requested series. */
function frameOf(series: readonly { readonly run: string; readonly tag: string }[]): ArrayBuffer {
  const points = 3 * series.length;
  const names = ["step", "wall", "count", "bytes", "offset"];
  const types = ["i8", "f8", "i4", "i8", "i8"];
  const widths = [8, 8, 4, 8, 8];
  const ats: number[] = [];
  let end = 0;
  for (const width of widths) {
    ats.push(end);
    end += Math.ceil((width * points) / 8) * 8;
  }
  const header = {
    version: 7,
    kind: "images",
    series: series.map((one, i) => ({ ...one, first: 3 * i, points: 3, samples: 2 })),
    arrays: names.map((name, i) => ({ name, type: types[i], length: points, at: ats[i] })),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = 8 + Math.ceil(text.length / 8) * 8;
  const buffer = new ArrayBuffer(start + end);
  const whole = new DataView(buffer);
  whole.setUint32(0, 0x3146424c, true);
  whole.setUint32(4, text.length, true);
  new Uint8Array(buffer).set(text, 8);
  for (let i = 0; i < points; i++) whole.setBigInt64(start + 8 * i, BigInt(10 * (i % 3)), true);
  return buffer;
}

const RUNS = ["a", "b", "c"];
let asked: Body[] = [];
let refuse = false;

function serve(): void {
  vi.stubGlobal("fetch", async (_: string, init: { body: string }) => {
    const body = JSON.parse(init.body) as Body;
    asked.push(body);
    if (refuse)
      return new Response(JSON.stringify({ error: { message: "no", hint: "", status: 500 } }), { status: 500 });
    // run c has no tag "few"
    const series = body.tag.flatMap((tag) =>
      (body.run ?? RUNS).filter((run) => tag !== "few" || run !== "c").map((run) => ({ run, tag })),
    );
    return new Response(frameOf(series));
  });
}

beforeEach(() => {
  view.value = DEFAULT_VIEW;
  runs.value = {
    version: 1,
    name: RUNS,
    start_time: [1, 2, 3],
    last_time: [1, 2, 3],
    duration: [0, 0, 0],
    state: ["finished", "finished", "finished"],
    files: [1, 1, 1],
    faults: [0, 0, 0],
    slot: [0, 1, 2],
    removed: [],
  } as unknown as typeof runs.value;
  asked = [];
  refuse = false;
  serve();
});

afterEach(() => vi.unstubAllGlobals());

const answers = () => new Promise((resolve) => setTimeout(resolve, 20));

test("a frame is read series by series", () => {
  const { version, series } = stepsIn(
    frameOf([
      { run: "a", tag: "x" },
      { run: "b", tag: "x" },
      { run: "a", tag: "y" },
    ]),
  );
  expect(version).toBe(7);
  expect([...series.keys()]).toEqual(["x", "y"]);
  expect([...(series.get("x")?.keys() ?? [])]).toEqual(["a", "b"]);
  expect([...(series.get("x")?.get("b")?.steps ?? [])]).toEqual([0, 10, 20]);
});

test("tags wanted in one go are one question, and nothing is asked before they are wanted", async () => {
  const [one, few] = [stepsOf("images", "one"), stepsOf("images", "few")];
  await answers();
  expect(asked).toEqual([]);
  const stops = [one.watch(), few.watch()];
  await answers();
  expect(asked).toEqual([{ kind: "images", tag: ["one", "few"] }]);
  expect([...(one.runs.value?.keys() ?? [])]).toEqual(RUNS);
  expect([...(few.runs.value?.keys() ?? [])]).toEqual(["a", "b"]);
  for (const stop of stops) stop();
});

test("runs that are shown later are asked about alone", async () => {
  tick(["b"], false);
  expect(drawnRuns.value).toEqual(["a", "c"]);
  const steps = stepsOf("images", "later");
  const stop = steps.watch();
  await answers();
  tickAll();
  await answers();
  expect(asked.map(({ run }) => run)).toEqual([["a", "c"], ["b"]]);
  expect([...(steps.runs.value?.keys() ?? [])].sort()).toEqual(RUNS);
  stop();
});

test("a failure is told, and asked again by hand", async () => {
  refuse = true;
  const steps = stepsOf("images", "broken");
  const stop = steps.watch();
  await answers();
  expect([steps.problem.value?.message, steps.runs.value, asked.length]).toEqual(["no", null, 1]);
  refuse = false;
  steps.retry();
  await answers();
  expect([steps.problem.value, steps.runs.value?.size]).toEqual([null, 3]);
  stop();
});

test("other points of restarts are asked for when the reader wants them", async () => {
  const steps = stepsOf("images", "rewound");
  const stop = steps.watch();
  await answers();
  changeView({ rewinds: "all" });
  await answers();
  expect(asked.map(({ rewinds }) => rewinds)).toEqual([undefined, "all"]);
  stop();
});

test("a run that was never asked about is not known to have nothing", async () => {
  tick(["b", "c"], false);
  const steps = stepsOf("images", "never before");
  const stop = steps.watch();
  await vi.waitFor(() => expect(steps.runs.value).not.toBeNull());
  expect(RUNS.map(steps.knows)).toEqual([true, false, false]);
  tickAll();
  await vi.waitFor(() => expect(RUNS.map(steps.knows)).toEqual([true, true, true]));
  stop();
});
