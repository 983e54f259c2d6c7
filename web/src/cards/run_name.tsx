// The name of a run. Long names are shortened in the middle, because names usually differ at their end.

import type { JSX } from "preact";
import { shownName } from "../state/annotations";
import "./run_name.css";

const SHORT = 26;
const LEAST_TAIL = 6;
const MOST_TAIL = 18;
const PLAIN_TAIL = 14;

/** Returns the index where the always visible end of the name starts: after a separator if one is near. */
export function tailStart(text: string): number {
  const from = text.length - MOST_TAIL;
  const found = text.slice(from, text.length - LEAST_TAIL).search(/[/,_\- ]/);
  const cut = found < 0 ? text.length - PLAIN_TAIL : from + found;
  // never inside a surrogate pair
  return /[\udc00-\udfff]/.test(text[cut] ?? "") ? cut - 1 : cut;
}

// line breaks and tabs: a name is shown on one line
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;

/** `label` is shown instead of the name, e.g. the last part of its path in a tree. */
export function RunName({ run, label }: { readonly run: string; readonly label?: string | undefined }): JSX.Element {
  const own = shownName(run);
  const shown = (label !== undefined && own === run ? label : own).replace(BREAKS, " ");
  if (shown.length <= SHORT) {
    return (
      <bdi class="run-name">
        <span class="run-name__head">{shown}</span>
      </bdi>
    );
  }
  const cut = tailStart(shown);
  return (
    <bdi class="run-name">
      <span class="run-name__head">{shown.slice(0, cut)}</span>
      <span class="run-name__tail">{shown.slice(cut)}</span>
    </bdi>
  );
}
