// A run's name in little room: long ones are cut in the middle, because what tells runs apart stands mostly at the end.

import type { JSX } from "preact";
import { shownName } from "../../state/annotations";
import "./run_name.css";

const SHORT = 26;
const TAIL = 14;

/** `label`: what to show instead, as the last part of a path in a tree. */
export function RunName({ run, label }: { readonly run: string; readonly label?: string | undefined }): JSX.Element {
  const own = shownName(run);
  const shown = label !== undefined && own === run ? label : own;
  if (shown.length <= SHORT) {
    return (
      <bdi class="run-name">
        <span class="run-name__head">{shown}</span>
      </bdi>
    );
  }
  // never between the halves of a character
  const cut = shown.length - TAIL - (/[\udc00-\udfff]/.test(shown[shown.length - TAIL] ?? "") ? 1 : 0);
  return (
    <bdi class="run-name">
      <span class="run-name__head">{shown.slice(0, cut)}</span>
      <span class="run-name__tail">{shown.slice(cut)}</span>
    </bdi>
  );
}
