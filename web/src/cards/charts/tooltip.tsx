// The tooltip of all charts: beside the card under the cursor, never over its lines. A click pins it: it can then be
// scrolled and copied, and has actions for its runs.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { beside, type Rect } from "../../base/beside";
import { shownName, tick, tickOnly } from "../../state/runs";
import { changeView, grouped, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { type MenuItem, MenuList } from "../../widgets/menu";
import { copyText } from "./copy";
import { DashSample } from "./dash_sample";
import "./tooltip.css";
import { type Column, columnsOf, tipTable } from "./tooltip_columns";
import { closeTip, type Tip, type TipRow, tip } from "./tooltip_state";

export function Tooltip(): JSX.Element | null {
  const shown = tip.value;
  const box = useRef<HTMLDivElement>(null);
  const detailed = useShift();
  // before the new rows are on the page: measuring after that would force a layout
  const rect = shown === null ? null : obstacleOf(shown.hover.element);
  const fitting = usePlace(box, shown, rect, detailed.value);
  useClosing(shown?.frozen === true);
  if (shown === null) return null;
  return <Box shown={shown} box={box} detailed={detailed.value || shown.frozen} most={fitting} />;
}

/** Closes a pinned tooltip on Esc and on clicks elsewhere. */
function useClosing(frozen: boolean): void {
  useEffect(() => {
    if (!frozen) return;
    const onKey = (event: KeyboardEvent): void => {
      // a menu opened from the tooltip closes first
      if (event.key !== "Escape" || document.querySelector(".popover:popover-open") !== null) return;
      event.stopPropagation();
      closeTip();
    };
    const onPress = (event: Event): void => {
      const inside =
        event.target instanceof Element && event.target.closest(".tooltip, .popover, .line-chart") !== null;
      if (!inside) closeTip();
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", onPress, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("pointerdown", onPress, true);
    };
  }, [frozen]);
}

/** True while Shift is held. */
function useShift(): Signal<boolean> {
  const held = useSignal(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      held.value = event.shiftKey;
    };
    const onBlur = (): void => {
      held.value = false;
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("keyup", onKey, true);
    window.addEventListener("blur", onBlur);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      document.removeEventListener("keyup", onKey, true);
      window.removeEventListener("blur", onBlur);
    };
  }, [held]);
  return held;
}

/** Returns what the tooltip must not cover: the card, or the chart of an expanded card, which has space beside it. */
function obstacleOf(chart: HTMLElement): Rect {
  const card = chart.closest<HTMLElement>("[data-card]");
  const covered = card === null || "full" in card.dataset ? chart : card;
  return covered.getBoundingClientRect();
}

// as in tooltip.css
const HEAD_PX = 32;
const ROW_PX = 20;
const PINNED_ROW_PX = 24;
const FOOT_PX = 32;
// the width changes a little with the digits while the cursor moves
const SLACK_PX = 12;

type BoxRef = { readonly current: HTMLDivElement | null };

/** Places the tooltip and returns how many rows there is space for. */
function usePlace(box: BoxRef, shown: Tip | null, rect: Rect | null, detailed: boolean): number {
  const natural = useRef({ key: "", width: 0 });
  const fitting = useSignal(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === null || rect === null) return;
    const { rows, frozen, model } = shown;
    // measuring forces a layout, so measure only if the width of the rows may have changed
    const key = `${model.id} ${rows.length} ${frozen} ${detailed} ${rows[0]?.reading === null}`;
    if (natural.current.key !== key) {
      element.classList.remove("tooltip--tight");
      natural.current = { key, width: naturalWidth(element) };
    }
    const { width } = natural.current;
    const rowPx = frozen ? PINNED_ROW_PX : ROW_PX;
    const size = { width: width + SLACK_PX, height: HEAD_PX + rows.length * rowPx + FOOT_PX };
    const at = beside(rect, size, { width: innerWidth, height: innerHeight });
    element.classList.toggle("tooltip--tight", at.width < width);
    const { style } = element;
    // at the left and above, it grows away from the card
    style.left = at.side === "left" ? "auto" : `${at.left}px`;
    style.right = at.side === "left" ? `${innerWidth - at.left - at.width}px` : "auto";
    style.top = at.side === "above" ? "auto" : `${at.top}px`;
    style.bottom = at.side === "above" ? `${innerHeight - at.top - at.height}px` : "auto";
    style.maxWidth = `${at.width}px`;
    style.maxHeight = `${at.height}px`;
    fitting.value = Math.max(1, Math.floor((at.height - HEAD_PX - FOOT_PX) / rowPx));
  });
  return fitting.value;
}

function naturalWidth(element: HTMLElement): number {
  const table = element.querySelector("table")?.offsetWidth ?? 0;
  const footer = element.querySelector("footer")?.scrollWidth ?? 0;
  // padding and border
  return Math.max(table + 18, footer + 2);
}

type BoxProperties = {
  readonly shown: Tip;
  readonly box: { current: HTMLDivElement | null };
  readonly detailed: boolean;
  /** Number of rows there is space for; a pinned tooltip scrolls instead. */
  readonly most: number;
};

function Box({ shown, box, detailed, most }: BoxProperties): JSX.Element {
  const words = texts.value.timeseries;
  const columns = columnsOf(shown, view.value.baseline, words, detailed);
  const rows = shown.frozen ? shown.rows : shown.rows.slice(0, most);
  return (
    <div
      ref={box}
      class={shown.frozen ? "tooltip tooltip--frozen" : "tooltip"}
      {...(shown.frozen ? { role: "dialog", "aria-label": shown.model.card.value.title } : { role: "tooltip" })}
      data-testid="tooltip"
    >
      <div class="tooltip__rows">
        <table>
          <thead>
            <tr>
              <th />
              {columns.map((column) => (
                <th key={column.key} class={column.text ? undefined : "tooltip__number"}>
                  {column.title}
                </th>
              ))}
              {shown.frozen && <th />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.key} row={row} columns={columns} shown={shown} />
            ))}
          </tbody>
        </table>
      </div>
      <BoxFooter shown={shown} columns={columns} more={shown.total - rows.length} />
    </div>
  );
}

type FooterProps = { readonly shown: Tip; readonly columns: readonly Column[]; readonly more: number };

function BoxFooter({ shown, columns, more }: FooterProps): JSX.Element {
  const words = texts.value.timeseries;
  const hint = view.value.stepTable ? words.freezeHintSteps : words.freezeHint;
  return (
    <footer class="tooltip__footer">
      {more > 0 && <span>{words.moreRows(more)}</span>}
      {shown.frozen ? (
        <>
          <StepButton shown={shown} />
          <Button
            kind="quiet"
            icon="copy"
            label={words.copyTable}
            title={words.copyTable}
            onClick={() => void copyText(tipTable(shown.rows, columns), words.tableCopied)}
          />
          <Button kind="quiet" icon="close" title={words.closeTip} onClick={closeTip} />
        </>
      ) : (
        <span class="tooltip__hint">{hint}</span>
      )}
    </footer>
  );
}

/** Selects the step under the cursor, which shows a table of values below every chart. */
function StepButton({ shown }: { readonly shown: Tip }): JSX.Element | null {
  const words = texts.value.timeseries;
  const nearest = shown.rows.find((row) => row.nearest);
  const step = nearest?.reading?.step ?? Math.round(shown.hover.x);
  if (shown.model.settings.value.x !== "step") return null;
  return (
    <Button
      kind="quiet"
      icon="table"
      label={words.selectStep(grouped(step))}
      title={words.selectStepHint}
      onClick={() => {
        closeTip();
        changeView({ stepTable: true, steps: { lo: step, hi: null } });
      }}
    />
  );
}

type RowProperties = { readonly row: TipRow; readonly columns: readonly Column[]; readonly shown: Tip };

function Row({ row, columns, shown }: RowProperties): JSX.Element {
  return (
    <tr class={row.nearest ? "tooltip__nearest" : undefined} data-run={undefined} data-row={row.name}>
      <td class="tooltip__swatch">
        <DashSample color={row.color} dash={row.dash} />
      </td>
      {columns.map((column) => (
        <td key={column.key} class={column.text ? "tooltip__text" : "tooltip__number"} title={column.hover?.(row)}>
          {column.cell(row)}
        </td>
      ))}
      {shown.frozen && <td>{row.group === null && <RowMenu row={row} shown={shown} />}</td>}
    </tr>
  );
}

function RowMenu({ row, shown }: { readonly row: TipRow; readonly shown: Tip }): JSX.Element {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button button--quiet button--icon"
        title={words.runActions(shownName(row.run))}
        aria-label={words.runActions(shownName(row.run))}
        aria-haspopup="menu"
        aria-expanded={open.value}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="menu" />
      </button>
      {open.value && button.current !== null && (
        <MenuList
          label={words.runActions(shownName(row.run))}
          anchor={button.current}
          items={runItems(row, shown)}
          onClose={() => {
            open.value = false;
          }}
        />
      )}
    </>
  );
}

function runItems({ run, reading }: TipRow, shown: Tip): readonly MenuItem[] {
  const words = texts.value.timeseries;
  const { pinnedRuns } = view.value;
  const pinned = pinnedRuns.includes(run);
  const step = reading?.step ?? null;
  const marks = step !== null && shown.model.settings.value.x === "step";
  return [
    { label: words.onlyRun, icon: "eye", onSelect: () => tickOnly([run]) },
    { label: words.hideRun, icon: "eye-off", onSelect: () => tick([run], false) },
    {
      label: pinned ? words.unpinRun : words.pinRun,
      icon: "pin",
      onSelect: () =>
        changeView({ pinnedRuns: pinned ? pinnedRuns.filter((one) => one !== run) : [...pinnedRuns, run] }),
    },
    { label: words.copyName, icon: "copy", onSelect: () => void copyText(run, words.nameCopied) },
    {
      label: words.markStep,
      icon: "tag",
      disabled: !marks,
      onSelect: () => step !== null && changeView({ stepTable: true, steps: { lo: step, hi: null } }),
    },
    { label: words.openRun, icon: "right", onSelect: () => changeView({ page: "run", of: [run] }, { entry: true }) },
  ];
}
