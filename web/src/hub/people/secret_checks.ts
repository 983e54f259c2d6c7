// What a test of credentials said, in the user's language.

import type { SecretCheck } from "../api/people";
import { type Sentence, sentenceFor } from "../explained";
import { spoken } from "../preferences";
import * as area from "../texts/secrets";

const LISTS = /^lists (more than )?([\d,]+) objects?$/;

/** The stored message has no flag: only a success lists objects. */
export function isGood(message: string): boolean {
  return LISTS.test(message);
}

/** "lists 3 objects"; other messages are the store's. */
export function goodText(message: string): string {
  const [, more, count] = LISTS.exec(message) ?? [];
  return count === undefined ? message : spoken(area).lists(count, more !== undefined);
}

export function badSentence(check: SecretCheck): Sentence {
  const { message, hint } = sentenceFor(check.code ?? "", check.message, check.hint ?? "");
  // what the store said, if the sentence says something else
  const same = message.toLowerCase() === check.message.toLowerCase();
  return { message, hint: same ? hint : [hint, check.message].filter((one) => one !== "").join(" ") };
}
