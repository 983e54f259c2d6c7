// Selects which axes are rows and columns, with an index slider for each of the other axes.

import type { JSX } from "preact";
import { formatCount } from "../../base/numbers";
import * as tensorsWords from "../../state/texts/tensors";
import { spoken } from "../../state/view";
import { Select } from "../../widgets/select";
import { Slider } from "../../widgets/slider";
import { type Cut, changeCut } from "./cuts";

type Properties = { readonly cardKey: string; readonly shape: readonly number[]; readonly cut: Cut };

export function CutChoice({ cardKey, shape, cut }: Properties): JSX.Element | null {
  const words = spoken(tensorsWords);
  if (shape.length < 2) return null;
  const options = shape.map((size, axis) => ({ value: String(axis), label: words.axis(axis, formatCount(size)) }));
  const others = shape.flatMap((size, axis) =>
    axis === cut.rowAxis || axis === cut.columnAxis ? [] : [{ axis, size }],
  );
  const put = (rowAxis: number, columnAxis: number): void => {
    // choosing the same axis for both swaps rows and columns
    const swapped = rowAxis === columnAxis;
    changeCut(cardKey, {
      ...cut,
      rowAxis: swapped ? cut.columnAxis : rowAxis,
      columnAxis: swapped ? cut.rowAxis : columnAxis,
    });
  };
  return (
    <div class="tensor-cut">
      <Select
        label={words.rows}
        value={String(cut.rowAxis)}
        options={options}
        testId="tensor-rows"
        onChange={(axis) => put(Number(axis), cut.columnAxis)}
      />
      <Select
        label={words.columns}
        value={String(cut.columnAxis)}
        options={options}
        testId="tensor-columns"
        onChange={(axis) => put(cut.rowAxis, Number(axis))}
      />
      {others.map(({ axis, size }) => (
        <AxisPlace key={axis} cardKey={cardKey} cut={cut} axis={axis} size={size} />
      ))}
    </div>
  );
}

type AxisPlaceProps = Pick<Properties, "cardKey" | "cut"> & { readonly axis: number; readonly size: number };

function AxisPlace({ cardKey, cut, axis, size }: AxisPlaceProps): JSX.Element {
  const words = spoken(tensorsWords);
  return (
    <span class="tensor-cut__axis">
      <Slider
        label={words.index(axis)}
        bare
        value={cut.index[axis] ?? 0}
        min={0}
        max={Math.max(0, size - 1)}
        step={1}
        disabled={size < 2}
        testId={`tensor-axis-${axis}`}
        onInput={(place) =>
          changeCut(cardKey, { ...cut, index: cut.index.map((old, at) => (at === axis ? place : old)) })
        }
      />
      <output title={words.index(axis)}>
        {cut.index[axis]} / {size - 1}
      </output>
    </span>
  );
}
