import { expect, test } from "vitest";
import { isOwnAddress, link, parseAddress } from "./router";

test("an address has a path and a query", () => {
  expect(parseAddress("#/boards/b-1?tab=events")).toEqual({ path: ["boards", "b-1"], query: { tab: "events" } });
  expect(parseAddress("")).toEqual({ path: ["boards"], query: {} });
  expect(parseAddress("#/workspaces/a%2Fb").path).toEqual(["workspaces", "a/b"]);
  expect(parseAddress("#/boards/100%").path).toEqual(["boards", "100%"]);
});

test("a link reads as the address it was made of", () => {
  const query = { q: "a&b=c #?", state: "", sort: "-name" };
  expect(parseAddress(link(["boards"], query))).toEqual({ path: ["boards"], query: { q: "a&b=c #?", sort: "-name" } });
  expect(link(["boards", "a/b"])).toBe("#/boards/a%2Fb");
});

test("nobody is sent to another host after signing in", () => {
  for (const next of ["#/boards", "/boards/b-1/", "/boards/b-1/#timeseries?smoothing=0.6"])
    expect(isOwnAddress(next), next).toBe(true);
  for (const next of ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "", "/a\n/b"])
    expect(isOwnAddress(next), next).toBe(false);
});
