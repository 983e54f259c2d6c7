import { expect, test } from "vitest";
import { inPieces, parseFailure, pathOf } from "./client";

const answer = { status: 502, statusText: "Bad Gateway" };

test("an error of ours tells message, hint and place", () => {
  const body = { error: { message: "no such column `lrr`", hint: "did you mean `lr`?", status: 400, position: 3 } };
  expect(parseFailure({ status: 400, statusText: "" }, body)).toMatchObject({
    status: 400,
    message: "no such column `lrr`",
    hint: "did you mean `lr`?",
    position: 3,
  });
});

test("a proxy's own page is told by its status", () => {
  for (const body of [null, "<html>", {}, { error: null }, { error: { message: 7 } }]) {
    expect(parseFailure(answer, body).message).toBe("502 Bad Gateway");
  }
});

test("run names become paths", () => {
  expect(pathOf("a/b c?#%")).toBe("a/b%20c%3F%23%25");
  expect(pathOf("中")).toBe("%E4%B8%AD");
  expect(pathOf("bad\udcff")).toBe("bad%ff");
});

test("large bodies are put together piece by piece", async () => {
  const pieces = [Uint8Array.of(1, 2), Uint8Array.of(3), Uint8Array.of(4, 5)];
  const answer = (length: string): Response => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (stream) => {
        for (const piece of pieces) stream.enqueue(piece);
        stream.close();
      },
    });
    return new Response(body, { headers: { "content-length": length } });
  };
  for (const large of [2, 100]) {
    expect([...new Uint8Array(await inPieces(answer("5"), large))]).toEqual([1, 2, 3, 4, 5]);
  }
  await expect(inPieces(answer("4"), 2)).rejects.toThrow("more bytes");
});
