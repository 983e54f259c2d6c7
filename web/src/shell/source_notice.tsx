// A line below the top bar for each source that cannot be read while others can: which, why, and a way to the details.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Board, board } from "../state/board";
import { explainedText } from "../state/explained";
import { sheet } from "../state/layout";
import { texts } from "../state/view";
import { Button } from "../widgets/button";
import { Icon } from "../widgets/icons";
import { situation } from "./pages";
import "./source_notice.css";

// more lines would hide the charts; the dialog has all
const MOST = 3;

/** Its text is hidden until the reason changes. */
function keyOf({ path, code, parameters }: Board["places"][number]): string {
  const because = parameters.because as { readonly code?: string } | undefined;
  return `${path} ${code} ${because?.code ?? ""}`;
}

function textOf(place: Board["places"][number]): string {
  const text = explainedText({ ...place, message: place.detail });
  return text.includes(place.path) ? text : `${place.path}: ${text}`;
}

export function SourceNotice(): JSX.Element | null {
  const words = texts.value.shell.sources;
  const hidden = useSignal<readonly string[]>([]);
  // an empty page says it in full
  if (situation.value.kind === "place" || situation.value.kind === "starting") return null;
  const wrong = (board.value?.places ?? []).filter(({ problem }) => problem === "unreadable");
  const shown = wrong.filter((place) => !hidden.value.includes(keyOf(place)));
  if (shown.length === 0) return null;
  return (
    <div class="source-notice" role="alert" data-testid="source-notice">
      <Icon name="warning" />
      <div class="source-notice__lines">
        {shown.slice(0, MOST).map((place) => (
          <p key={place.path}>{textOf(place)}</p>
        ))}
        {shown.length > MOST && <p>{words.more(shown.length - MOST)}</p>}
      </div>
      <Button
        label={words.details}
        title={words.details}
        onClick={() => {
          sheet.value = "health";
        }}
      />
      <Button
        icon="close"
        kind="quiet"
        title={words.hide}
        onClick={() => {
          hidden.value = wrong.map(keyOf);
        }}
      />
    </div>
  );
}
