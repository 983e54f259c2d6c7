// The run list at the left: its width is changed by dragging or with the arrow keys; on a narrow page it overlaps the
// content.

import { computed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { RunDialogs } from "../panels/runs/run_dialogs";
import { RunSidebar } from "../panels/runs/run_sidebar";
import { runs } from "../state/board";
import { NARROW_PX, resizeSidebar, SIDEBAR, sidebarOpen, sidebarPx } from "../state/layout";
import { texts, view } from "../state/view";
import "./side.css";

const KEY_STEP_PX = 16;

/** The table of runs has the same runs, filter and menus. */
export const listHidden = computed(() => view.value.page === "runs");

export function Side(): JSX.Element {
  // tables and pages open run dialogs, too
  if (!sidebarOpen.value || listHidden.value) return <RunDialogs />;
  return (
    <>
      <button
        type="button"
        class="side__scrim"
        aria-label={texts.value.shell.bar.hideRuns}
        tabIndex={-1}
        onClick={close}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Esc is caught where it passes by */}
      <div class="side" style={{ width: `${sidebarPx.value}px` }} onKeyDown={closeOverlay}>
        {runs.value === null ? <Blank /> : <RunSidebar />}
        <Handle />
      </div>
    </>
  );
}

/** Placeholder rows before the first response. */
function Blank(): JSX.Element {
  return (
    <div class="side__blank" aria-hidden="true">
      {Array.from({ length: 12 }, (_, row) => (
        <div key={row} style={{ width: `${45 + ((row * 37) % 45)}%` }} />
      ))}
    </div>
  );
}

function close(): void {
  sidebarOpen.value = false;
}

function closeOverlay(event: KeyboardEvent): void {
  if (event.key === "Escape" && !event.defaultPrevented && innerWidth < NARROW_PX) close();
}

function Handle(): JSX.Element {
  const dragging = useSignal<{ readonly fromPx: number; readonly widthPx: number } | null>(null);
  const onKey = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by !== 0) resizeSidebar(sidebarPx.value + by * KEY_STEP_PX * (event.shiftKey ? 4 : 1));
    else if (event.key === "Home") resizeSidebar(SIDEBAR.least);
    else if (event.key === "End") resizeSidebar(SIDEBAR.most);
    else if (event.key === "Enter") close();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that is dragged, not one between paragraphs
    <div
      class={dragging.value === null ? "side__handle" : "side__handle side__handle--dragging"}
      role="separator"
      aria-orientation="vertical"
      aria-label={texts.value.shell.resize}
      title={texts.value.shell.resize}
      aria-valuenow={sidebarPx.value}
      aria-valuemin={SIDEBAR.least}
      aria-valuemax={SIDEBAR.most}
      tabIndex={0}
      data-testid="resize-runs"
      onKeyDown={onKey}
      onDblClick={() => resizeSidebar(SIDEBAR.usual)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        dragging.value = { fromPx: event.clientX, widthPx: sidebarPx.value };
      }}
      onPointerMove={(event) => {
        if (dragging.value !== null) resizeSidebar(dragging.value.widthPx + event.clientX - dragging.value.fromPx);
      }}
      onPointerUp={() => {
        dragging.value = null;
      }}
      onPointerCancel={() => {
        dragging.value = null;
      }}
    />
  );
}
