import { expect, test } from "vitest";
import { addressOf, failureOf } from "./client";

test("empty members of a query are not sent", () => {
  expect(addressOf("boards", { q: "", state: "Running,Idle", limit: 0, owner: undefined })).toBe(
    "api/v1/boards?state=Running%2CIdle&limit=0",
  );
});

test("a problem keeps its code and all its members", () => {
  const body = { code: "TensorboardLimitExceeded", message: "full", hint: "stop one", limit: 5, boards: [{ id: "b" }] };
  const failure = failureOf(403, "Forbidden", body);
  expect([failure.status, failure.code, failure.hint]).toEqual([403, "TensorboardLimitExceeded", "stop one"]);
  expect(failure.problem).toMatchObject({ limit: 5, boards: [{ id: "b" }] });
});

test("a page of a proxy is an error with its status", () => {
  expect(failureOf(502, "Bad Gateway", null)).toMatchObject({ status: 502, code: "Unavailable" });
  expect(failureOf(404, "Not Found", "nothing")).toMatchObject({ status: 404, code: "Refused" });
});
