import { expect, test } from "vitest";
import { parseFailure, pathOf } from "./client";

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
