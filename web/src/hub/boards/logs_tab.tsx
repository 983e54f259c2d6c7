// The log of a board's process: the last lines, refreshed while they are shown. The view stays at the end unless the
// user scrolls up.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Checkbox } from "../../widgets/checkbox";
import { fetchLogs } from "../api/boards";
import { CopyButton } from "../parts/copy_button";
import { Failure } from "../parts/notice";
import { spoken } from "../preferences";
import * as area from "../texts/board";
import * as shellArea from "../texts/shell";
import type { TabProperties } from "./board_page";
import "./logs_tab.css";

const LINES = 1000;
const REFRESH_MS = 3000;
const AT_END_PX = 40;

export function LogsTab({ board }: TabProperties): JSX.Element {
  const words = spoken(area);
  const lines = useSignal<readonly string[] | null>(null);
  const error = useSignal<unknown>(null);
  const wrap = useSignal(true);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const load = (): void => {
    if (document.visibilityState !== "visible") return;
    fetchLogs(board.id, LINES).then(
      (answer) => {
        error.value = null;
        // unchanged lines keep a selection
        if (answer.lines.join("\n") !== lines.peek()?.join("\n")) lines.value = answer.lines;
      },
      (failure: unknown) => {
        if (lines.peek() === null) error.value = failure;
      },
    );
  };
  useEffect(() => {
    load();
    const timer = setInterval(load, REFRESH_MS);
    return () => clearInterval(timer);
  }, [board.id, board.state]);
  useLayoutEffect(() => {
    if (atEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.value]);
  if (error.value !== null) return <Failure error={error.value} onRetry={load} />;
  const text = lines.value?.join("\n") ?? "";
  return (
    <section class="panel logs">
      <div class="panel__actions">
        <span class="panel__quiet logs__note">{words.refreshed}</span>
        <Checkbox
          label={words.wrap}
          checked={wrap.value}
          onChange={(on) => {
            wrap.value = on;
          }}
        />
        <CopyButton text={() => text} label={spoken(shellArea).copy} kind="plain" testId="copy-log" />
      </div>
      {lines.value !== null && text === "" ? (
        <p class="panel__quiet">{words.noLog}</p>
      ) : (
        <pre
          ref={box}
          class={wrap.value ? "logs__text logs__text--wrapped" : "logs__text"}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the arrows
          tabIndex={0}
          role="log"
          aria-label={words.logLabel}
          data-testid="log"
          onScroll={({ currentTarget }) => {
            const { scrollTop, scrollHeight, clientHeight } = currentTarget;
            atEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
          }}
        >
          {text}
        </pre>
      )}
    </section>
  );
}
