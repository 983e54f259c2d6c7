// The printed output of a run: the last lines first in sight, earlier ones on request.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatIso } from "../../base/locale";
import { asProblem } from "../../state/board";
import { type ConsoleText, consoleOf } from "../../state/run_console";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import "./run_console.css";
import { copyText } from "./run_menu";

const FIRST_LINES = 500;
const MOST_LINES = 20_000;

/** `records`: their number, so that new output is requested. */
export function RunConsole({ run, records }: { readonly run: string; readonly records: number }): JSX.Element {
  const t = texts.value.runs;
  const lines = useSignal(FIRST_LINES);
  const text = useSignal<ConsoleText | null>(null);
  const problem = useSignal("");
  const wanted = lines.value;
  useEffect(() => {
    let current = true;
    consoleOf(run, wanted).then(
      (found) => {
        if (current) text.value = found;
      },
      (error: unknown) => {
        if (current) problem.value = asProblem(error).message;
      },
    );
    return () => {
      current = false;
    };
  }, [run, records, wanted, text, problem]);
  if (problem.value !== "") return <p class="quiet">{problem.value}</p>;
  if (text.value === null) return <p class="quiet">{t.loadingCells}</p>;
  const { text: shown, stream, time, earlier, dropped } = text.value;
  return (
    <div class="run-console">
      <div class="run-console__bar">
        {earlier && wanted < MOST_LINES && (
          <Button label={t.earlierLines} title={t.earlierLines} onClick={() => (lines.value = MOST_LINES)} />
        )}
        <Button label={t.copyAll} icon="copy" title={t.copyAll} onClick={() => void copyText(shown.join("\n"))} />
        {dropped > 0 && <span class="quiet">{t.droppedLines(dropped)}</span>}
      </div>
      <pre class="run-console__lines" data-testid="console">
        {shown.map((line, at) => (
          <span
            key={at}
            class={stream[at] === "stderr" ? "run-console__line run-console__line--error" : "run-console__line"}
            title={formatIso(time[at] ?? Number.NaN) ?? undefined}
          >
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
    </div>
  );
}
