// Tests what must be entered for each kind of secret, and what is sent.

import { expect, test } from "vitest";
import { faultsOf, membersOf } from "./secret_kinds";

test("empty values and values of other kinds are not sent", () => {
  const entered = { access_key: " AK ", secret_key: "SK", endpoint: "", account: "left from another kind" };
  expect(membersOf("s3", entered, false)).toEqual({ access_key: "AK", secret_key: "SK" });
});

test("a secret for public data has no credentials", () => {
  const entered = { access_key: "AK", secret_key: "SK", endpoint: "http://minio:9000" };
  expect(membersOf("s3", entered, true)).toEqual({ endpoint: "http://minio:9000", anonymous: "true" });
  expect(faultsOf("s3", {}, true)).toEqual({});
});

test("keys come in pairs", () => {
  expect(faultsOf("s3", { access_key: "AK" }, false)).toEqual({ secret_key: "required" });
  expect(faultsOf("web", { endpoint: "https://x", username: "ann" }, false)).toEqual({ password: "required" });
});

test("an endpoint is a web address", () => {
  expect(faultsOf("s3", { access_key: "a", secret_key: "b", endpoint: "minio:9000" }, false)).toEqual({
    endpoint: "url",
  });
});

test("one of two credentials is enough", () => {
  expect(faultsOf("az", { account: "logs" }, false)).toEqual({ account_key: "oneOf" });
  expect(faultsOf("az", { account: "logs", sas_token: "sv=1" }, false)).toEqual({});
  expect(faultsOf("web", { endpoint: "https://x", token: "t" }, false)).toEqual({});
});

test("the key of Google is the JSON of a service account", () => {
  expect(faultsOf("gs", { credentials: "{}" }, false)).toEqual({ credentials: "json" });
  expect(faultsOf("gs", { credentials: '{"type": "service_account"}' }, false)).toEqual({});
});
