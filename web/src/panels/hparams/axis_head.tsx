// The header of an axis: its name, which can be dragged, and its menu: scale, direction, brush, colors, position.

import { useSignal } from "@preact/signals";
import type { CSSProperties, JSX } from "preact";
import { useRef } from "preact/hooks";
import { brushesNow, colorColumn, isInverted, moveColumn, setBrush, shiftColumn } from "../../state/hparams";
import { extentOf } from "../../state/trials_columns";
import { asFilter, hasBrush, type TrialFilter } from "../../state/trials_filter";
import type { TrialAxis } from "../../state/trials_scales";
import { Icon } from "../../widgets/icons";
import { Menu } from "../../widgets/menu";
import { Popover } from "../../widgets/popover";
import { axisItems } from "./column_items";
import { ValueChooser } from "./value_chooser";
import { columnTitle, words } from "./words";

const DRAG_TYPE = "application/x-lightboard-axis";

export function AxisHead({ axis, style }: { readonly axis: TrialAxis; readonly style: CSSProperties }): JSX.Element {
  const { column } = axis;
  const over = useSignal(false);
  const brushing = useSignal(false);
  const head = useRef<HTMLDivElement>(null);
  const brushed = hasBrush(brushesNow.value[column.id]);
  const openBrush = (): void => {
    brushing.value = true;
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: others are dropped here; Alt+arrows do the same */}
      <div
        ref={head}
        class={over.value ? "axis-head axis-head--over" : "axis-head"}
        style={style}
        data-axis-head={column.id}
        data-scale={axis.scale}
        onDragOver={(event) => {
          if (event.dataTransfer?.types.includes(DRAG_TYPE) !== true) return;
          event.preventDefault();
          over.value = true;
        }}
        onDragLeave={() => {
          over.value = false;
        }}
        onDrop={(event) => {
          over.value = false;
          event.preventDefault();
          moveColumn(event.dataTransfer?.getData(DRAG_TYPE) ?? "", column.id);
        }}
      >
        <AxisName column={column} />
        <Menu
          label={words().axisMenu(columnTitle(column))}
          testId="axis-menu"
          items={axisItems(column, openBrush, brushed ? () => setBrush(column.id, null) : null)}
        />
      </div>
      {brushing.value && head.current !== null && (
        <BrushPopover
          axis={axis}
          anchor={head.current}
          onClose={() => {
            brushing.value = false;
          }}
        />
      )}
    </>
  );
}

function AxisName({ column }: { readonly column: TrialAxis["column"] }): JSX.Element {
  const title = columnTitle(column);
  return (
    <button
      type="button"
      class={column.role === "metric" ? "axis-head__name axis-head__name--metric" : "axis-head__name"}
      draggable
      title={words().axisDrag(title)}
      onDragStart={(event) => event.dataTransfer?.setData(DRAG_TYPE, column.id)}
      onKeyDown={(event) => {
        const by = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
        if (!event.altKey || by === 0) return;
        event.preventDefault();
        shiftColumn(column.id, by);
      }}
    >
      {colorColumn.value === column && <Icon name="palette" />}
      {isInverted(column.id) && <Icon name="down" />}
      <bdi>{title}</bdi>
    </button>
  );
}

type BrushProperties = { readonly axis: TrialAxis; readonly anchor: HTMLElement; readonly onClose: () => void };

function BrushPopover({ axis, anchor, onClose }: BrushProperties): JSX.Element {
  const { column } = axis;
  const label = words().brushTitle(columnTitle(column));
  return (
    <Popover anchor={anchor} label={label} onClose={onClose}>
      <div class="axis-head__brush">
        <strong>{label}</strong>
        <ValueChooser
          plain
          column={column}
          filter={asFilter(brushesNow.value[column.id] ?? {}) ?? {}}
          onChange={(filter) => setBrush(column.id, filter === null ? null : asBrush(axis, filter))}
        />
      </div>
    </Popover>
  );
}

function asBrush({ column, scale }: TrialAxis, { values, lo, hi }: TrialFilter) {
  if (values !== undefined) {
    return scale === "places"
      ? { values: values.map(String) }
      : { ranges: values.map((value) => [Number(value), Number(value)] as const) };
  }
  const [least, most] = extentOf(column.numbers) ?? [0, 0];
  return { ranges: [[lo ?? least, hi ?? most] as const] };
}
