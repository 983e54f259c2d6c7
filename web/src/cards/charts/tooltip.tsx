// The tooltip of all charts: beside the cursor, inside the window. A click freezes it: it can then be scrolled and
// copied, and has actions for its runs.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { shownName, tick, tickOnly } from "../../state/runs";
import { changeView, texts, view } from "../../state/view";
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
  const size = useRef({ key: "", width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shown === null) return;
    // measuring forces a layout of the page, so measure only if the size of the box may have changed
    const key = `${shown.model.id} ${shown.rows.length} ${shown.frozen} ${shown.rows[0]?.reading === null}`;
    if (size.current.key !== key) {
      const { width, height } = element.getBoundingClientRect();
      size.current = { key, width, height };
    }
    place(element, shown, size.current);
  });
  useEffect(() => {
    if (shown?.frozen !== true) return;
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
  }, [shown?.frozen]);
  if (shown === null) return null;
  return <Box shown={shown} box={box} />;
}

const GAP_PX = 16;
const EDGE_PX = 8;
const SLACK_PX = 12;

/** Places the tooltip right, left, below or above the cursor, wherever it fits without covering the cursor. */
function place(element: HTMLElement, { hover }: Tip, size: { readonly width: number; readonly height: number }): void {
  // the width changes a little with the digits while the cursor moves
  const width = size.width + SLACK_PX;
  const { height } = size;
  const right = hover.clientX + GAP_PX;
  const left = hover.clientX - GAP_PX - size.width;
  const fitsRight = right + width <= innerWidth - EDGE_PX;
  const beside = fitsRight || left >= EDGE_PX;
  const x = fitsRight ? right : beside ? left : innerWidth - EDGE_PX - width;
  const below = hover.clientY + GAP_PX;
  const free = below + height <= innerHeight - EDGE_PX ? below : hover.clientY - GAP_PX - height;
  const y = beside ? Math.min(hover.clientY - height / 3, innerHeight - height - EDGE_PX) : free;
  element.style.left = `${Math.max(EDGE_PX, x)}px`;
  element.style.top = `${Math.max(EDGE_PX, y)}px`;
}

type BoxProperties = { readonly shown: Tip; readonly box: { current: HTMLDivElement | null } };

function Box({ shown, box }: BoxProperties): JSX.Element {
  const words = texts.value.timeseries;
  const columns = columnsOf(shown, view.value.baseline, words);
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
            {shown.rows.map((row) => (
              <Row key={row.key} row={row} columns={columns} shown={shown} />
            ))}
          </tbody>
        </table>
      </div>
      <BoxFooter shown={shown} columns={columns} />
    </div>
  );
}

type FooterProps = { readonly shown: Tip; readonly columns: readonly Column[] };

function BoxFooter({ shown, columns }: FooterProps): JSX.Element {
  const words = texts.value.timeseries;
  const more = shown.total - shown.rows.length;
  const hint = view.value.stepTable ? words.freezeHintSteps : words.freezeHint;
  return (
    <footer class="tooltip__footer">
      {more > 0 && <span>{words.moreRows(more)}</span>}
      {shown.frozen ? (
        <>
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
