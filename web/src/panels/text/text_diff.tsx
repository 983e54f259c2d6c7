// Compares two steps of a text line by line, side by side or inline; unchanged lines are folded.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { StepSlider } from "../../cards/step_slider";
import { reasonOf } from "../../state/explained";
import { placeOfStep } from "../../state/step_choice";
import { readSource, type TextStep } from "../../state/text_values";
import * as textWords from "../../state/texts/text";
import { changeView, grouped, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { type DiffRow, diffLines, type LineDiff, type SideRow, sameEnds, sideBySide } from "./line_diff";
import { MeasuredList } from "./measured_list";
import "./text_diff.css";

type Both = { readonly before: TextStep; readonly after: TextStep };

export function TextDiff({ card, series, pair }: KindCardProps & { readonly pair: string }): JSX.Element {
  const words = spoken(textWords);
  const [left = "", right = ""] = pair.split("..");
  const places = [placeOfStep(series.steps, left), placeOfStep(series.steps, right)] as const;
  const { both, problem, retry } = useBoth({ run: card.run, tag: card.tag }, places);
  return (
    <div class="text-diff">
      <Bar card={card} series={series} places={places} />
      {problem !== null ? (
        <div class="text-diff__rest">
          <CardProblem title={words.failed} message={problem} onRetry={retry} />
        </div>
      ) : both === null ? (
        <div class="text-diff__rest">
          <div class="kind-card__skeleton" />
        </div>
      ) : (
        <Compared both={both} inline={view.value.textInline} label={card.tag} />
      )}
    </div>
  );
}

type Places = readonly [number, number];

type Read = { readonly both: Both | null; readonly problem: string | null; readonly retry: () => void };

/** Loads the texts at two indices; the previous two stay until the next have loaded. */
function useBoth({ run, tag }: { readonly run: string; readonly tag: string }, places: Places): Read {
  const both = useSignal<Both | null>(null);
  const problem = useSignal<string | null>(null);
  const again = useSignal(0);
  useEffect(() => {
    const stop = new AbortController();
    problem.value = null;
    Promise.all(places.map((place) => readSource({ run, tag }, place, stop.signal))).then(
      ([before, after]) => {
        if (before && after) both.value = { before, after };
      },
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = reasonOf(error);
      },
    );
    return () => stop.abort();
  }, [run, tag, ...places, again.value]);
  const retry = (): void => {
    again.value += 1;
  };
  return { both: both.value, problem: problem.value, retry };
}

type BarProps = Pick<KindCardProps, "card" | "series"> & { readonly places: Places };

function Bar({ card, series, places: [before, after] }: BarProps): JSX.Element {
  const words = spoken(textWords);
  const inline = view.value.textInline;
  const choose = (first: number, second: number): void => {
    const steps = `${series.steps[first]}..${series.steps[second]}`;
    changeView({ textDiff: { ...view.value.textDiff, [card.key]: steps } });
  };
  return (
    <div class="text-diff__bar">
      <StepSlider
        label={words.before}
        steps={series.steps}
        at={before}
        newest={false}
        onChoose={(at) => choose(at, after)}
        testId="diff-before"
      />
      <StepSlider
        label={words.after}
        steps={series.steps}
        at={after}
        newest={false}
        onChoose={(at) => choose(before, at)}
        testId="diff-after"
      />
      <Button kind="quiet" icon="refresh" title={words.swap} onClick={() => choose(after, before)} />
      <Button
        label={words.inline}
        title={words.inlineHint}
        pressed={inline}
        testId="diff-inline"
        onClick={() => changeView({ textInline: !inline })}
      />
      <Button kind="quiet" icon="close" title={words.close} testId="diff-close" onClick={() => leave(card.key)} />
    </div>
  );
}

function leave(cardKey: string): void {
  const { [cardKey]: _, ...others } = view.value.textDiff;
  changeView({ textDiff: others });
}

// ---- rows

const CONTEXT_LINES = 3;
// folding fewer lines would save no space
const FEWEST_FOLDED = 3;

type Fold = { readonly fold: number; readonly rows: number };
type Shown<R> = R | Fold;

/** Replaces consecutive equal rows far from any change by one row that unfolds them. */
export function folded<R>(
  rows: readonly R[],
  same: (row: R) => boolean,
  opened: ReadonlySet<number>,
): readonly Shown<R>[] {
  const shown: Shown<R>[] = [];
  let at = 0;
  while (at < rows.length) {
    let end = at;
    while (end < rows.length && same(rows[end] as R)) end++;
    const first = at === 0 ? 0 : at + CONTEXT_LINES;
    const last = end === rows.length ? end : end - CONTEXT_LINES;
    if (last - first >= FEWEST_FOLDED && !opened.has(first)) {
      shown.push(...rows.slice(at, first), { fold: first, rows: last - first }, ...rows.slice(last, end));
    } else shown.push(...rows.slice(at, end));
    at = end;
    while (at < rows.length && !same(rows[at] as R)) shown.push(rows[at++] as R);
  }
  return shown;
}

type ComparedProps = { readonly both: Both; readonly inline: boolean; readonly label: string };

function Compared({ both, inline, label }: ComparedProps): JSX.Element {
  const words = spoken(textWords);
  const { before, after } = both;
  const opened = useSignal<ReadonlySet<number>>(new Set());
  const diff = useMemo(() => diffLines(before.text, after.text), [before.text, after.text]);
  useEffect(() => {
    opened.value = new Set();
  }, [diff, inline, opened]);
  const rows = useMemo(
    () =>
      inline
        ? folded<DiffRow>(diff.rows, ({ kind }) => kind === "same", opened.value)
        : folded<SideRow>(sideBySide(diff.rows), ({ same }) => same, opened.value),
    [diff, inline, opened.value],
  );
  const count = (kind: DiffRow["kind"]): number => diff.rows.filter((row) => row.kind === kind).length;
  const [added, removed] = [count("added"), count("removed")];
  const open = (at: number): void => {
    opened.value = new Set([...opened.value, at]);
  };
  const whole = Math.min(before.text.length, after.text.length);
  return (
    <>
      <div class="text-diff__told" role="status" data-testid="diff-told">
        <span>{added + removed === 0 ? words.same : words.changes(added, removed)}</span>
        {diff.rough && <span>{words.rough}</span>}
        {(before.cut || after.cut) && <span>{words.onlyFirst(grouped(whole))}</span>}
      </div>
      <MeasuredList
        label={label}
        count={rows.length}
        keyAt={(index) => keyOf(rows[index], inline)}
        guessPx={18}
        testId="text-diff"
        row={(index) => <Row diff={diff} row={rows[index]} onOpen={open} />}
      />
    </>
  );
}

type RowProps = {
  readonly diff: LineDiff;
  readonly row: Shown<DiffRow> | Shown<SideRow> | undefined;
  readonly onOpen: (fold: number) => void;
};

function Row({ diff, row, onOpen }: RowProps): JSX.Element | null {
  if (row === undefined) return null;
  if ("fold" in row) {
    return (
      <button type="button" class="text-diff__fold" onClick={() => onOpen(row.fold)}>
        {spoken(textWords).unchanged(row.rows)}
      </button>
    );
  }
  return "kind" in row ? <InlineRow diff={diff} row={row} /> : <SideBySideRow diff={diff} row={row} />;
}

function keyOf(row: Shown<DiffRow> | Shown<SideRow> | undefined, inline: boolean): string {
  if (row === undefined) return "";
  if ("fold" in row) return `fold ${row.fold}`;
  const { before = null, after = null } = row as Partial<SideRow>;
  return `${inline ? "i" : "s"} ${before} ${after}`;
}

function InlineRow({ diff, row }: { readonly diff: LineDiff; readonly row: DiffRow }): JSX.Element {
  const before = row.kind === "added" ? null : row.before;
  const after = row.kind === "removed" ? null : row.after;
  const line = (after === null ? diff.before[before ?? 0] : diff.after[after]) ?? "";
  const sign = row.kind === "added" ? "+" : row.kind === "removed" ? "−" : " ";
  return (
    <div class={`text-diff__line text-diff__line--${row.kind}`} data-diff={row.kind}>
      <span class="text-diff__number">{before === null ? "" : before + 1}</span>
      <span class="text-diff__number">{after === null ? "" : after + 1}</span>
      <span class="text-diff__sign">{sign}</span>
      <span class="text-diff__text">{line}</span>
    </div>
  );
}

function SideBySideRow({ diff, row }: { readonly diff: LineDiff; readonly row: SideRow }): JSX.Element {
  const before = row.before === null ? null : (diff.before[row.before] ?? "");
  const after = row.after === null ? null : (diff.after[row.after] ?? "");
  const ends = row.same || before === null || after === null ? null : sameEnds(before, after);
  return (
    <div class="text-diff__pair">
      <Half line={before} number={row.before} kind={row.same ? "same" : "removed"} ends={ends} />
      <Half line={after} number={row.after} kind={row.same ? "same" : "added"} ends={ends} />
    </div>
  );
}

type HalfProps = {
  readonly line: string | null;
  readonly number: number | null;
  readonly kind: DiffRow["kind"];
  readonly ends: readonly [number, number] | null;
};

function Half({ line, number, kind, ends }: HalfProps): JSX.Element {
  if (line === null) return <div class="text-diff__line text-diff__line--absent" />;
  const [start, end] = ends ?? [0, 0];
  const marked = ends !== null && start + end > 0;
  return (
    <div class={`text-diff__line text-diff__line--${kind}`} data-diff={kind}>
      <span class="text-diff__number">{number === null ? "" : number + 1}</span>
      <span class="text-diff__text">
        {marked ? (
          <>
            {line.slice(0, start)}
            <mark>{line.slice(start, line.length - end)}</mark>
            {line.slice(line.length - end)}
          </>
        ) : (
          line
        )}
      </span>
    </div>
  );
}
