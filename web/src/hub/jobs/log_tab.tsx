// The log of a job, followed while it runs: virtual lines with the colors of terminals, search, copy and download. The
// view stays at the end unless the user scrolls up.

import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { rowLayout, rowsInSight } from "../../widgets/table_rows";
import { useTableFrame } from "../../widgets/virtual_table";
import { CopyButton } from "../parts/copy_button";
import { grouped, spoken } from "../preferences";
import * as area from "../texts/job";
import { Console, saveLog } from "./console";
import type { ConsoleLines } from "./console_lines";
import type { TabProperties } from "./job_page";
import { LogLine } from "./log_line";
import "./log_tab.css";

const LINE_PX = 18;
const MARGIN_LINES = 30;
const AT_END_PX = 24;
const TYPING_MS = 150;

export function LogTab({ job }: TabProperties): JSX.Element {
  const words = spoken(area);
  const console = useMemo(() => new Console(job.id), [job.id]);
  useEffect(() => console.follow(), [console]);
  const find = useFind(console);
  const follows = useSignal(true);
  const version = console.version.value;
  const count = console.lines.count;
  const skipped = console.skipped.value;
  const empty = console.loaded.value && count === 0;
  return (
    <section class="panel log" data-testid="job-log">
      <div class="panel__actions log__bar">
        <FindBox find={find} />
        <span class="log__space" />
        <span class="panel__quiet log__count" role="status">
          {console.broken.value ? words.logBroken : words.lines(grouped(count + console.lines.dropped), count !== 1)}
        </span>
        <CopyButton text={() => console.lines.text()} label={words.copyLog} kind="plain" testId="copy-log" />
        <Button
          icon="download"
          label={words.download}
          title={words.download}
          testId="download-log"
          onClick={() => void saveLog(job)}
        />
      </div>
      {skipped > 0 && <p class="panel__quiet">{words.earlier(formatBytes(skipped))}</p>}
      {empty ? (
        <p class="panel__quiet">{emptyText(job.state, console.complete.value)}</p>
      ) : (
        <Lines lines={console.lines} version={version} find={find} follows={follows} />
      )}
    </section>
  );
}

function emptyText(state: string, complete: boolean): string {
  const words = spoken(area);
  if (state === "Registered") return words.noLogHere;
  return complete ? words.neverLog : words.noLog;
}

// ---- search

type Find = {
  readonly text: Signal<string>;
  /** Indexes of lines. */
  readonly matches: { readonly value: readonly number[] };
  /** Which of the matches is shown. */
  readonly at: Signal<number>;
  /** Counts steps from match to match: each scrolls to its line. */
  readonly steps: Signal<number>;
  readonly step: (by: number) => void;
};

function useFind(console: Console): Find {
  const text = useSignal("");
  const at = useSignal(0);
  const steps = useSignal(0);
  const matches = useComputed(() => {
    // read first: a search is repeated when lines come
    const { value } = console.version;
    return value < 0 ? [] : console.lines.find(text.value.trim());
  });
  const step = (by: number): void => {
    const count = matches.value.length;
    if (count === 0) return;
    at.value = (at.value + by + count) % count;
    steps.value += 1;
  };
  return { text, matches, at, steps, step };
}

function FindBox({ find }: { readonly find: Find }): JSX.Element {
  const words = spoken(area);
  const typed = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "f" || input.current === null) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const apply = (text: string): void => {
    clearTimeout(timer.current);
    if (text === find.text.peek()) return;
    find.text.value = text;
    find.at.value = 0;
    find.steps.value += 1;
  };
  const count = find.matches.value.length;
  return (
    <div class="log-find">
      <div class="list-search">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          class="list-search__input"
          placeholder={words.findInLog}
          aria-label={words.findInLog}
          spellcheck={false}
          autocomplete="off"
          data-testid="find-in-log"
          value={typed.value}
          onInput={(event) => {
            const text = event.currentTarget.value;
            typed.value = text;
            clearTimeout(timer.current);
            timer.current = setTimeout(() => apply(text), TYPING_MS);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.isComposing) {
              event.preventDefault();
              if (typed.value === find.text.peek()) find.step(event.shiftKey ? -1 : 1);
              else apply(typed.value);
            } else if (event.key === "Escape") {
              typed.value = "";
              apply("");
            }
          }}
        />
      </div>
      {find.text.value.trim() !== "" && (
        <>
          <span class="panel__quiet log-find__count" role="status" data-testid="log-matches">
            {count === 0 ? words.noMatches : words.matches(grouped(find.at.value + 1), grouped(count))}
          </span>
          <Button icon="up" kind="quiet" title={words.previous} disabled={count === 0} onClick={() => find.step(-1)} />
          <Button icon="down" kind="quiet" title={words.next} disabled={count === 0} onClick={() => find.step(1)} />
        </>
      )}
    </div>
  );
}

// ---- lines

type LinesProperties = {
  readonly lines: ConsoleLines;
  readonly version: number;
  readonly find: Find;
  readonly follows: Signal<boolean>;
};

function Lines({ lines, version, find, follows }: LinesProperties): JSX.Element {
  const words = spoken(area);
  const { frame, shown } = useTableFrame({ topPx: 0, leftPx: 0, widthPx: 800, heightPx: 600 });
  const layout = rowLayout(lines.count, LINE_PX);
  const { topPx, heightPx } = shown.value;
  const range = rowsInSight(layout, topPx, heightPx, MARGIN_LINES);
  const current = find.matches.value[find.at.value];
  const widest = useRef(0);
  useLayoutEffect(() => {
    if (follows.value && frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [version, heightPx, follows.value]);
  useLayoutEffect(() => {
    if (current === undefined || frame.current === null || find.steps.value === 0) return;
    follows.value = false;
    frame.current.scrollTop = Math.max(0, layout.topOf(current) - frame.current.clientHeight / 2);
  }, [find.steps.value]);
  const digits = String(lines.dropped + lines.count).length;
  const needle = find.text.value.trim();
  // lines that were seen decide how far one can scroll to the side
  const longest = Array.from({ length: range.end - range.first }, (_, offset) => lines.at(range.first + offset));
  widest.current = Math.max(widest.current, ...longest.map((line) => line?.text.length ?? 0));
  return (
    <div class="log__box">
      <div
        ref={frame}
        class="log__frame"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the arrows
        tabIndex={0}
        role="log"
        aria-label={words.logLabel}
        aria-live="off"
        data-testid="log"
        style={{ "--digits": `${digits}ch` }}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.value = scrollHeight - scrollTop - clientHeight < AT_END_PX;
        }}
      >
        <div
          class="log__lines"
          style={{ height: `${layout.totalPx}px`, "min-width": `${widest.current + digits + 4}ch` }}
        >
          {longest.map((line, offset) => {
            const index = range.first + offset;
            if (line === undefined) return null;
            return (
              <LogLine
                key={index}
                line={line}
                number={lines.dropped + index + 1}
                topPx={layout.topOf(index)}
                needle={needle}
                current={index === current}
              />
            );
          })}
        </div>
      </div>
      {!follows.value && (
        <div class="log__end">
          <Button
            icon="down"
            label={words.toEnd}
            title={words.toEnd}
            testId="log-end"
            onClick={() => {
              follows.value = true;
            }}
          />
        </div>
      )}
    </div>
  );
}
