// Statistics of a tensor, and a histogram of its elements.

import type { JSX } from "preact";
import { formatCount, formatNumber } from "../../base/numbers";
import type { TensorPart } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { spoken } from "../../state/view";

export function Summary({ part }: { readonly part: TensorPart }): JSX.Element | null {
  const words = spoken(tensorsWords);
  const { statistics, dtype } = part.header;
  if (statistics === null) return null;
  const number = (value: number | null): string => (value === null ? "–" : formatNumber(value, 5));
  const rows: readonly (readonly [string, string, string])[] = [
    ["min", words.min, number(statistics.min)],
    ["max", words.max, number(statistics.max)],
    ["mean", words.mean, number(statistics.mean)],
    ["std", words.std, number(statistics.std)],
    ["zeros", words.zeros, formatCount(statistics.zeros)],
    ["nan", words.nan, formatCount(statistics.nan)],
    ["infinite", words.infinite, formatCount(statistics.positive_infinite)],
    ["negative-infinite", words.negativeInfinite, formatCount(statistics.negative_infinite)],
  ];
  const bad = new Set(["nan", "infinite", "negative-infinite"]);
  return (
    <div class="tensor-summary">
      <dl class="tensor-summary__figures">
        {rows.map(([key, label, value]) => (
          <div key={key} class={bad.has(key) && value !== "0" ? "tensor-summary__bad" : undefined} data-figure={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Histogram part={part} />
      {(statistics.sampled || dtype.startsWith("complex")) && (
        <p class="tensor-summary__note">
          {statistics.sampled && words.sampled(formatCount(statistics.counted), formatCount(statistics.count))}
          {dtype.startsWith("complex") && words.magnitudes}
        </p>
      )}
    </div>
  );
}

function Histogram({ part }: { readonly part: TensorPart }): JSX.Element {
  const words = spoken(tensorsWords);
  const { binEdges, binCounts } = part;
  if (binEdges === null || binCounts === null) return <div class="tensor-summary__none">{words.noHistogram}</div>;
  const most = Math.max(1, ...binCounts);
  const first = binEdges[0] ?? 0;
  const last = binEdges[binEdges.length - 1] ?? 0;
  return (
    <figure class="tensor-summary__histogram">
      <svg viewBox={`0 0 ${binCounts.length} 100`} preserveAspectRatio="none" role="img" aria-label={words.histogram}>
        {Array.from(binCounts, (count, i) => {
          // a bin that is not empty is always visible
          const height = count === 0 ? 0 : Math.max(1, (100 * count) / most);
          return (
            <rect key={i} x={i + 0.05} y={100 - height} width={0.9} height={height}>
              <title>
                {words.bin(formatNumber(binEdges[i] ?? 0), formatNumber(binEdges[i + 1] ?? 0), formatCount(count))}
              </title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{formatNumber(first)}</span>
        <span>{formatNumber(last)}</span>
      </figcaption>
    </figure>
  );
}
