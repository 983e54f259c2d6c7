// The name of a run, shortened among the other names in sight; the title has the complete name.

import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { partsOf, shortName, shortNames } from "../base/short_names";
import { shownName } from "../state/annotations";
import { drawnRuns } from "../state/runs";
import "./run_name.css";

/** Letters of a name in cards and tooltips. */
const MOST_LETTERS = 34;

const drawnNames = computed(() => shortNames(drawnRuns.value.map(shownName), MOST_LETTERS));

/** Returns a short name that no other drawn run has. */
export function shortRun(run: string): string {
  const name = shownName(run);
  return drawnNames.value.get(name) ?? shortName(name, MOST_LETTERS);
}

// line breaks and tabs: a name is shown on one line
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;

type Properties = {
  readonly run: string;
  /** Shown instead of the name, e.g. the last part of its path in a tree. */
  readonly label?: string | undefined;
  /** Short texts of the names in sight; by default those of the drawn runs. */
  readonly among?: ReadonlyMap<string, string> | undefined;
  /** The name may continue on more lines. */
  readonly wraps?: boolean;
};

export function RunName({ run, label, among, wraps = false }: Properties): JSX.Element {
  const name = shownName(run);
  const shown = label !== undefined && name === run ? label : name;
  const text = among?.get(shown) ?? (shown === name ? shortRun(run) : shortName(shown, MOST_LETTERS));
  return (
    <bdi class={wraps ? "run-name run-name--wraps" : "run-name"} title={text === name ? undefined : name}>
      {wraps ? <Parts text={text} /> : text.replace(BREAKS, " ")}
    </bdi>
  );
}

/** The text with line breaks after separators only, unless a part is wider than a line. */
function Parts({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {partsOf(text).map((part, i) => (
        <span key={i} class="run-name__part">
          {part}
        </span>
      ))}
    </>
  );
}
