import { expect, test } from "vitest";
import { blobKey, blobUrl, elementOf } from "./blob_key";

const decoded = (key: string): string => {
  const binary = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (one) => one.charCodeAt(0)));
};

test("a key is the JSON the server reads, safe in an address", () => {
  const key = blobKey("run/x", "img/ö 中 👍 ~~~???", 7, 1.5, 90, 2);
  expect(key).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(JSON.parse(decoded(key))).toEqual(["run/x", "img/ö 中 👍 ~~~???", 7, 1.5, 90, 2]);
});

test("the same key as the server's", () => {
  // query/blobs.py: key() of run "a", tag "b", step 3, wall time 1700000000.25, offset 41, element 2
  expect(blobKey("a", "b", 3, 1700000000.25, 41, 2)).toBe("WyJhIiwiYiIsMywxNzAwMDAwMDAwLjI1LDQxLDJd");
});

test("no digit of a large step is lost", () => {
  expect(decoded(blobKey("r", "t", 9223372036854775807n, 0, 9007199254740993n, 0))).toBe(
    '["r","t",9223372036854775807,0,9007199254740993,0]',
  );
});

test("times that are no number, and names that are no Unicode", () => {
  expect(decoded(blobKey("r", "t", -1, Number.NaN, 0, 0))).toBe('["r","t",-1,NaN,0,0]');
  expect(decoded(blobKey("r", "t", -1, Number.NEGATIVE_INFINITY, 0, 0))).toBe('["r","t",-1,-Infinity,0,0]');
  expect(decoded(blobKey("bad\udcff", "t", 0, 0, 0, 0))).toBe('["bad\\udcff","t",0,0,0,0]');
});

test("addresses, as they are and as thumbnails", () => {
  const key = blobKey("r", "t", 0, 0, 0, elementOf("images", 1));
  expect(JSON.parse(decoded(key))[5]).toBe(3);
  expect(elementOf("audio", 1)).toBe(1);
  expect(blobUrl("r", "t", 0, 0, 0, 3)).toBe(`api/blobs/${key}`);
  expect(blobUrl("r", "t", 0, 0, 0, 3, { width: 319.6 })).toBe(`api/blobs/${key}?width=320`);
  expect(blobUrl("r", "t", 0, 0, 0, 3, { width: 0 })).toBe(`api/blobs/${key}?width=1`);
});
