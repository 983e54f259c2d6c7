// One line of a log: its number, spans with the colors of terminals, and marks on what is searched for.

import type { JSX } from "preact";
import { type Ink, parseLine, type Span, type Style } from "./ansi";
import type { Line } from "./console_lines";

type Properties = {
  readonly line: Line;
  readonly number: number;
  readonly topPx: number;
  /** What is searched for; empty: nothing. */
  readonly needle: string;
  /** It has the match that was stepped to. */
  readonly current: boolean;
};

// longer lines are cut on the screen, not in the copy
const LONGEST_SHOWN = 5000;

export function LogLine({ line, number, topPx, needle, current }: Properties): JSX.Element {
  const cut = line.text.length > LONGEST_SHOWN;
  const { spans } = parseLine(cut ? line.text.slice(0, LONGEST_SHOWN) : line.text, line.style);
  return (
    <div class="log-line" data-current={current ? "" : undefined} style={{ transform: `translateY(${topPx}px)` }}>
      <span class="log-line__number" data-number={number} aria-hidden="true" />
      <span class="log-line__text">
        {marked(spans, needle).map(({ text, style, found }, at) => (
          <span key={at} class={classOf(style, found)} style={inks(style)}>
            {text}
          </span>
        ))}
        {cut && "…"}
      </span>
    </div>
  );
}

type MarkedSpan = Span & { readonly found: boolean };

/** Splits spans where a match begins or ends; a match may go over several spans. */
export function marked(spans: readonly Span[], needle: string): readonly MarkedSpan[] {
  const plain = spans.map((span) => ({ ...span, found: false }));
  if (needle === "") return plain;
  const whole = spans
    .map(({ text }) => text)
    .join("")
    .toLowerCase();
  const wanted = needle.toLowerCase();
  const result: MarkedSpan[] = [];
  let from = 0;
  let at = whole.indexOf(wanted);
  for (const span of spans) {
    const end = from + span.text.length;
    let begin = from;
    while (begin < end) {
      while (at >= 0 && at + wanted.length <= begin) at = whole.indexOf(wanted, at + wanted.length);
      const found = at >= 0 && at <= begin;
      const stop = Math.min(end, found ? at + wanted.length : at < 0 ? end : Math.max(at, begin + 1));
      result.push({ text: span.text.slice(begin - from, stop - from), style: span.style, found });
      begin = stop;
    }
    from = end;
  }
  return result;
}

function classOf(style: Style, found: boolean): string | undefined {
  const { ink, paper } = inverted(style);
  const names = [
    typeof ink === "number" ? `ink-${ink}` : "",
    typeof paper === "number" ? `paper-${paper}` : "",
    style.bold ? "ink-bold" : "",
    style.faint ? "ink-faint" : "",
    style.italic ? "ink-italic" : "",
    style.underlined ? "ink-underlined" : "",
    style.struck ? "ink-struck" : "",
    style.inverse && style.ink === null && style.paper === null ? "ink-inverse" : "",
    found ? "log-line__found" : "",
  ].filter((name) => name !== "");
  return names.length === 0 ? undefined : names.join(" ");
}

function inks(style: Style): Readonly<Record<string, string>> | undefined {
  const { ink, paper } = inverted(style);
  if (typeof ink !== "string" && typeof paper !== "string") return undefined;
  return {
    ...(typeof ink === "string" ? { color: ink } : {}),
    ...(typeof paper === "string" ? { backgroundColor: paper } : {}),
  };
}

function inverted({ ink, paper, inverse }: Style): { readonly ink: Ink; readonly paper: Ink } {
  return inverse ? { ink: paper, paper: ink } : { ink, paper };
}
