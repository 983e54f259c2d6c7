// What the server says went wrong, as sentences in the language of the page.

import { ApiError, type ErrorCode, type Explanation, type FileFault } from "../api/client";
import type { Texts } from "./texts/errors";
import { grouped, texts } from "./view";

/** A sentence, and what to do about it; the hint may be empty. */
export type Explained = { readonly message: string; readonly hint: string };

/** An error without a code, or with one that this page does not know, is shown in the server's words. */
export function explained(error: Partial<Explanation> & { readonly message: string }): Explained {
  const words = texts.value.errors;
  const sentence = words.sentences[error.code as ErrorCode];
  if (sentence === undefined) return { message: error.message, hint: error.hint ?? "" };
  const [message, hint = ""] = sentence;
  const parameters = error.parameters ?? {};
  return {
    message: filled(message, parameters, words),
    hint: isEmpty(hint, parameters) ? "" : filled(hint, parameters, words),
  };
}

/** The sentence of a fault or a place. One that an older version recorded has no code: it is shown as it is. */
export function sentenceOf({ detail, code, parameters }: Pick<FileFault, "detail" | "code" | "parameters">): string {
  return explained({ message: detail, code, parameters }).message;
}

/** Message and hint in one text. */
export function explainedText(error: Partial<Explanation> & { readonly message: string }): string {
  const { message, hint } = explained(error);
  return hint === "" ? message : `${message} ${hint}`;
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
function parameterText(value: unknown, words: Texts): string {
  if (typeof value === "number") return grouped(value);
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && value !== null && "message" in value) return explained(value as Explanation).message;
  const text = String(value);
  return words.reasons[text] ?? text;
}

function isEmpty(hint: string, parameters: Explanation["parameters"]): boolean {
  return [...hint.matchAll(PARAMETER)].some(([, name = ""]) => parameters[name] === "");
}
