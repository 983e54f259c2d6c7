import { afterEach, expect, test, vi } from "vitest";
import { fetchTogether } from "./together";

type Sent = {
  readonly address: string;
  readonly body: { charts?: { tag: string[] }[]; tag?: string[]; shared?: object };
};

/** A server that answers each chart with eight bytes of its tag's length, and knows no tag "bad". */
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
    const head = new Uint8Array(8 + Math.ceil(tags.length / 2) * 8);
    head.set([0x4c, 0x42, 0x53, 0x31, tags.length]);
    for (let i = 0; i < tags.length; i++) head[8 + 4 * i] = 8;
    return new Response(new Blob([head, ...frames]));
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
