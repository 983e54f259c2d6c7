// Errors of the hub as sentences in the user's language, by their code.

import { HubError } from "./api/client";
import { grouped, spoken } from "./preferences";
import * as area from "./texts/errors";

export type Sentence = { readonly message: string; readonly hint: string };

/** Codes whose sentence says less than the hub's message, which names what is wrong. It is shown below the sentence. */
const NAMED: ReadonlySet<string> = new Set([
  "BadRequest",
  "Unprocessable",
  "InternalError",
  "Refused",
  "Conflict",
  "InvalidManifest",
  "InvalidScope",
  "SourceUnreadable",
  "NoBoard",
  "UploadQuotaExceeded",
]);

/** Anything that was thrown. An unknown code is shown in the hub's words. */
export function sentenceOf(error: unknown): Sentence {
  if (!(error instanceof HubError))
    return { message: error instanceof Error ? error.message : String(error), hint: "" };
  return sentenceFor(error.code, error.message, error.hint, error.problem);
}

/** The sentence of a code that came inside of an answer, as of a source that fails. */
export function sentenceFor(
  code: string,
  message: string,
  hint = "",
  members: Readonly<Record<string, unknown>> = {},
): Sentence {
  const words = spoken(area);
  const own = words.sentences[code];
  if (own === undefined) return { message: message === "" ? code : upperFirst(message), hint };
  const [sentence, advice = ""] = own;
  const filled = sentence.replace(/\{(\w+)\}/g, (whole, name: string) => memberText(members[name]) ?? whole);
  return { message: filled, hint: NAMED.has(code) && message !== "" ? upperFirst(message) : advice };
}

/** Both parts in one plain text, for messages at the edge of the page. */
export function reasonOf(error: unknown): string {
  const { message, hint } = sentenceOf(error);
  return (hint === "" ? message : `${message} ${hint}`).replaceAll("`", "");
}

function memberText(value: unknown): string | undefined {
  if (typeof value === "number") return grouped(value);
  return typeof value === "string" ? value : undefined;
}

/** A message of the hub, which begins small, as a sentence. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
