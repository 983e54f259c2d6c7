import { expect, test } from "vitest";
import { HubError } from "./api/client";
import { reasonOf, sentenceFor, sentenceOf } from "./explained";
import { chooseLanguageFor } from "./preferences";

const FULL = new HubError(403, "TensorboardLimitExceeded", "5 of 5 boards are active (account)", "stop one", {
  used: 5,
  limit: 5,
});

test("a code is a sentence in the user's language, with the members of the problem", () => {
  chooseLanguageFor("zh");
  expect(sentenceOf(FULL).message).toBe("活跃看板已达 5 / 5，无法再启动。");
  chooseLanguageFor("en");
  expect(reasonOf(FULL)).toBe("5 of 5 boards are active. No more can be started. Stop or delete one, then try again.");
});

test("an unknown code is shown in the hub's words, as a sentence without backticks", () => {
  expect(reasonOf(new HubError(400, "SomethingNew", "the `thing` is wrong", "mend it"))).toBe(
    "The thing is wrong mend it",
  );
  expect(sentenceFor("SomethingNew", "").message).toBe("SomethingNew");
});

test("a general code names what the hub says below its sentence", () => {
  expect(sentenceFor("BadRequest", "expected `str`, got `int`")).toEqual({
    message: "The hub did not understand the request.",
    hint: "Expected `str`, got `int`",
  });
});

test("other errors keep their message", () => {
  expect(sentenceOf(new TypeError("x is not a function"))).toEqual({ message: "x is not a function", hint: "" });
});
