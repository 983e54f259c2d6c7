import { expect, test } from "vitest";
import { parseMessage, pictureOf } from "./figure_frame";

test("only what a frame of ours says is heard", () => {
  expect(parseMessage({ lightboard: "plotly", ready: true })).toEqual({ kind: "ready" });
  expect(parseMessage({ lightboard: "plotly", drawn: 3, traces: 2 })).toEqual({ kind: "drawn", id: 3, traces: 2 });
  for (const odd of [
    null,
    3,
    "ready",
    {},
    { ready: true },
    { lightboard: "plotly" },
    { lightboard: "plotly", drawn: "x" },
  ]) {
    expect(parseMessage(odd)).toBeNull();
  }
});

test("a reason is text, and short", () => {
  const message = parseMessage({
    lightboard: "plotly",
    failed: 1,
    reason: { toString: () => "x" },
    details: "y".repeat(9999),
  });
  expect(message).toEqual({ kind: "failed", id: 1, reason: "", details: "y".repeat(400) });
});

test("a picture is what it says it is", async () => {
  expect(pictureOf("data:image/png;base64,AAEC", "png")?.size).toBe(3);
  expect(await pictureOf("data:image/svg+xml,%3Csvg%3E", "svg")?.text()).toBe("<svg>");
  for (const odd of [
    "https://elsewhere.example/x.png",
    "data:text/html,<b>",
    "data:image/png;base64,***",
    "javascript:1",
  ]) {
    expect(pictureOf(odd, "png")).toBeNull();
  }
  expect(pictureOf("data:image/svg+xml,%E0%A4%A", "svg")).toBeNull();
});
