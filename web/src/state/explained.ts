// What the server says went wrong, as sentences in the language of the page.

import { ApiError, type ErrorCode, type Explanation, type FileFault } from "../api/client";
import { sentences } from "./sentences";
import type { Texts } from "./texts/errors";
import { grouped } from "./view";

/** A sentence, and what to do about it; the hint may be empty. `answer`: code and request id of an object store. */
export type Explained = { readonly message: string; readonly hint: string; readonly answer: string };

/** What was asked of an object store that refused it. Empty texts: it was not asked yet. */
export type Asked = {
  readonly action: string;
  readonly who: string;
  readonly where: string;
  readonly answer: string;
};

/** An error without a code, or with one that this page does not know, is shown in the server's words. */
export function explained(error: Partial<Explanation> & { readonly message: string }): Explained {
  const words = (error.code ?? "") === "" ? null : sentences();
  const sentence = words?.sentences[error.code as ErrorCode];
  const { answer } = askedOf(error);
  if (words === null || sentence === undefined) return { message: error.message, hint: error.hint ?? "", answer };
  const [message, hint = ""] = sentence;
  const parameters = error.parameters ?? {};
  const own = isEmpty(hint, parameters) ? "" : filled(hint, parameters, words);
  const cause = causeOf(error);
  return {
    message: filled(message, parameters, words),
    hint: own === "" && cause !== null ? explained(cause).hint : own,
    answer,
  };
}

/** Returns the request that failed, of an error or of its cause. */
export function askedOf(error: Partial<Explanation>): Asked {
  const { action, who, where, answer } = error.parameters ?? {};
  const cause = causeOf(error);
  if (answer === undefined && cause !== null) return askedOf(cause);
  const text = (value: unknown): string => (value === undefined ? "" : parameterText(value, sentences()));
  return { action: text(action), who: text(who), where: text(where), answer: text(answer) };
}

/** Returns the explanation of the cause, if an error has one. */
export function causeOf({ parameters = {} }: Pick<Partial<Explanation>, "parameters">): Explanation | null {
  const { because } = parameters;
  return typeof because === "object" && because !== null && "message" in because ? (because as Explanation) : null;
}

/** The sentence of a fault or a place. One that an older version recorded has no code: it is shown as it is. */
export function sentenceOf({ detail, code, parameters }: Pick<FileFault, "detail" | "code" | "parameters">): string {
  return withAnswer(explained({ message: detail, code, parameters }));
}

/** Message and hint in one text. */
export function explainedText(error: Partial<Explanation> & { readonly message: string }): string {
  const told = explained(error);
  return told.hint === "" ? withAnswer(told) : `${withAnswer(told)} ${told.hint}`;
}

function withAnswer({ message, answer }: Explained): string {
  return answer === "" ? message : `${message} [${answer}]`;
}

/** Anything that was thrown, as the server explains problems in its answers. */
export function explanationOf(error: unknown): Explanation {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { message, hint: "", code: "", parameters: {} };
  const { hint, code, parameters } = error;
  return { message, hint, code, parameters };
}

/** The text of anything that was thrown. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return explainedText(error);
  return error instanceof Error ? error.message : String(error);
}

const PARAMETER = /\{([a-z_]+)\}/g;

function filled(template: string, parameters: Explanation["parameters"], words: Texts): string {
  return template.replace(PARAMETER, (whole, name: string) =>
    name in parameters ? parameterText(parameters[name], words) : whole,
  );
}

/** A parameter is a text, a number, a list of texts, or the explanation of a cause. */
function parameterText(value: unknown, words: Texts | null): string {
  if (typeof value === "number") return grouped(value);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null && "message" in value) return explained(value as Explanation).message;
  const text = String(value);
  return words?.reasons[text] ?? text;
}

function isEmpty(hint: string, parameters: Explanation["parameters"]): boolean {
  return [...hint.matchAll(PARAMETER)].some(([, name = ""]) => parameters[name] === "");
}
