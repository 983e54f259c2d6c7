import { beforeAll, expect, test } from "vitest";
import { parseFailure } from "../api/client";
import { LANGUAGES, type Language } from "../base/locale";
import { asProblem } from "./board";
import { askedOf, explained, explainedText, reasonOf, sentenceOf } from "./explained";
import { loadSentences } from "./sentences";
import { language } from "./view";

beforeAll(loadSentences);

const [ENGLISH, CHINESE] = [LANGUAGES[0] as Language, LANGUAGES[1] as Language];
const REFUSED = { status: 400, statusText: "Bad Request" };

function refusal(code: string, parameters: object): ReturnType<typeof parseFailure> {
  return parseFailure(REFUSED, { error: { message: "the server's words", hint: "its hint", code, parameters } });
}

test("a code becomes a sentence with its parameters", () => {
  language.value = ENGLISH;
  expect(reasonOf(refusal("filter.hparam", { name: "lr2", close: "lr" }))).toBe(
    "No run has a hyperparameter named “lr2”. Did you mean lr?",
  );
});

test("a hint with an empty parameter is not shown", () => {
  expect(asProblem(refusal("filter.hparam", { name: "x", close: "" })).hint).toBe("");
});

test("an error without a code, or with one that the page does not know, has the server's words", () => {
  for (const code of ["", "of.a.newer.server"]) {
    expect(reasonOf(refusal(code, {}))).toBe("the server's words its hint");
  }
  expect(sentenceOf({ detail: "recorded by an older version", code: "", parameters: {} })).toBe(
    "recorded by an older version",
  );
});

test("an error changes its language with the page", () => {
  const problem = asProblem(refusal("filter.incomplete", {}));
  language.value = CHINESE;
  expect(problem.message).toBe("筛选条件不完整。");
  language.value = ENGLISH;
  expect(problem.message).toBe("The filter is not complete.");
});

test("numbers are grouped, lists joined, causes explained, texts of the system translated", () => {
  const text = (code: string, parameters: Record<string, unknown>): string =>
    explainedText({ message: "", code, parameters });
  expect(text("upload.too_large", { limit: 1234567 })).toBe("The upload is larger than 1,234,567 bytes.");
  expect(text("metadata.no_column", { name: "a", known: ["b", "c"] })).toContain("It has: b, c");
  const because = { message: "", hint: "", code: "json.too_deep", parameters: {} };
  expect(text("keras.unreadable", { because })).toBe("The Keras model cannot be read. This JSON is nested too deeply.");
  language.value = CHINESE;
  expect(explained({ message: "", code: "fault.open", parameters: { reason: "Permission denied" } }).message).toBe(
    "无法打开文件：没有权限",
  );
  language.value = ENGLISH;
});

test("what a store refused: its answer behind the sentence, the hint of the cause, an empty answer hidden", () => {
  const who = { message: "", hint: "", code: "storage.who.secret", parameters: { name: "team" } };
  const action = { message: "", hint: "", code: "storage.action.list", parameters: {} };
  const refused = (answer: string): { message: string; code: string; parameters: Record<string, unknown> } => {
    const parameters = { action, who, where: "http://minio:9000", bucket: "logs", status: "403", answer };
    const because = { message: "", hint: "", code: "storage.denied", parameters };
    return { message: "", code: "logdir.storage", parameters: { because, path: "s3://team@logs/runs" } };
  };
  const start = "s3://team@logs/runs cannot be read. No permission to list objects, as secret “team”.";
  const hint = "Reading logs needs the permissions to list the bucket and to get its objects.";
  expect(explainedText(refused("AccessDenied, request 7"))).toBe(`${start} [AccessDenied, request 7] ${hint}`);
  expect(explainedText(refused(""))).toBe(`${start} ${hint}`);
  expect(askedOf(refused("AccessDenied"))).toEqual({
    action: "list objects",
    who: "secret “team”",
    where: "http://minio:9000",
    answer: "AccessDenied",
  });
});
