import { afterEach, expect, test, vi } from "vitest";
import { fetchTogether } from "./together";

type Sent = {
  readonly address: string;
  readonly body: { charts?: { tag: string[] }[]; tag?: string[]; shared?: object };
};

const EIGHT = Uint8Array.from([8, 0, 0, 0, 0, 0, 0, 0]);

/**
 * A fake server that responds to each chart with eight bytes of its tag's length; the tag "bad" fails the whole
 * request, "coarse" only its own chart.
 */
function serve(): Sent[] {
  const sent: Sent[] = [];
  vi.stubGlobal("fetch", async (address: string, init: { body: string }) => {
    const body = JSON.parse(init.body) as Sent["body"];
    sent.push({ address, body });
    const tags = (body.charts ?? [{ tag: body.tag ?? [] }]).map(({ tag }) => tag[0] ?? "");
    if (tags.includes("bad")) {
      return new Response(JSON.stringify({ error: { message: "no such tag", hint: "", status: 404 } }), {
        status: 404,
      });
    }
    const frames = tags.map((tag) => new Uint8Array(8).fill(tag.length));
    if (body.charts === undefined) return new Response(frames[0]);
    const head = Uint8Array.from([0x4c, 0x42, 0x53, 0x32, tags.length, 0, 0, 0]);
    const error = new TextEncoder().encode(JSON.stringify({ error: { message: "too coarse", hint: "" } }).padEnd(64));
    const entries = tags.map((tag, i) =>
      tag === "coarse" ? [Uint8Array.from([64, 0, 0, 0, 0x90, 1, 0, 0]), error] : [EIGHT, frames[i] ?? EIGHT],
    );
    return new Response(new Blob([head, ...entries.flat()]));
  });
  return sent;
}

afterEach(() => vi.unstubAllGlobals());

const ask = (tag: string, run: readonly string[]) =>
  fetchTogether({ tag: [tag], run }, true).then(
    (frame) => new Uint8Array(frame)[0],
    (error: Error) => error.message,
  );

test("what is asked in one go is one request, with the runs told once", async () => {
  const sent = serve();
  const runs = ["a", "b"];
  expect(await Promise.all([ask("x", runs), ask("yy", runs), ask("zzz", runs)])).toEqual([1, 2, 3]);
  expect(sent.map(({ address }) => address)).toEqual(["api/charts"]);
  expect(sent[0]?.body.shared).toEqual({ run: runs });
});

test("one question alone goes the usual way", async () => {
  const sent = serve();
  expect(await ask("x", ["a"])).toBe(1);
  expect(sent.map(({ address }) => address)).toEqual(["api/scalars"]);
});

test("a wrong question spoils no other", async () => {
  serve();
  expect(await Promise.all([ask("x", ["a"]), ask("bad", ["a"]), ask("yy", ["b"])])).toEqual([1, "no such tag", 2]);
});

test("a chart that cannot be made is told, the others are there", async () => {
  const sent = serve();
  expect(await Promise.all([ask("x", ["a"]), ask("coarse", ["a"]), ask("yy", ["a"])])).toEqual([1, "too coarse", 2]);
  expect(sent.length).toBe(1);
});
