// String elements of a tensor: as text, or as a hex dump if they are binary. Always shown as plain text, never as HTML.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { formatCount } from "../../base/numbers";
import { formatBytes } from "../../base/sizes";
import { CardProblem } from "../../cards/card_frame";
import { reasonOf } from "../../state/explained";
import { type Piece, type PointName, tensorFile } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { spoken } from "../../state/view";
import { Button } from "../../widgets/button";
import { saveAddress } from "../../widgets/files";
import { usePart } from "./use_part";

const PER_PAGE = 20;

type Properties = { readonly name: PointName; readonly count: number; readonly urgency: () => number };

export function Strings({ name, count, urgency }: Properties): JSX.Element {
  const words = spoken(tensorsWords);
  const wanted = useSignal(0);
  const first = Math.min(wanted.value, Math.max(0, count - 1));
  const part = usePart({ ...name, cells: 0, statistics: false, row: first, rows: PER_PAGE }, urgency);
  const problem = part.problem.value;
  const shown = part.shown.value;
  if (problem !== null) {
    return <CardProblem title={words.failed} message={reasonOf(problem)} onRetry={part.retry} />;
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is scrolled by keys
    <div
      class="tensor-strings"
      role="region"
      aria-label={words.strings(formatCount(count))}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys
      tabIndex={0}
    >
      {count === 0 && <div class="card__message">{words.empty}</div>}
      {(shown?.header.strings ?? []).map((piece) => (
        <OneString key={piece.number} piece={piece} name={name} />
      ))}
      {count > PER_PAGE && <Pages first={first} count={count} wanted={wanted} />}
    </div>
  );
}

type PagesProps = { readonly first: number; readonly count: number; readonly wanted: Signal<number> };

function Pages({ first, count, wanted }: PagesProps): JSX.Element {
  const words = spoken(tensorsWords);
  return (
    <div class="tensor-strings__pages">
      <Button
        kind="quiet"
        icon="left"
        title={words.earlier}
        disabled={first === 0}
        onClick={() => {
          wanted.value = Math.max(0, first - PER_PAGE);
        }}
      />
      <span>
        {first + 1}–{Math.min(count, first + PER_PAGE)} / {formatCount(count)}
      </span>
      <Button
        kind="quiet"
        icon="right"
        title={words.later}
        disabled={first + PER_PAGE >= count}
        onClick={() => {
          wanted.value = first + PER_PAGE;
        }}
      />
    </div>
  );
}

function OneString({ piece, name }: { readonly piece: Piece; readonly name: PointName }): JSX.Element {
  const words = spoken(tensorsWords);
  const asHex = useSignal(piece.text === null);
  const { text } = piece;
  return (
    <section class="tensor-strings__one" data-string={piece.number}>
      <header>
        <span>{words.string(piece.number, formatBytes(piece.bytes))}</span>
        {text !== null && (
          <Button
            kind="quiet"
            label={asHex.value ? words.asText : words.asHex}
            title={asHex.value ? words.asText : words.asHex}
            onClick={() => {
              asHex.value = !asHex.value;
            }}
          />
        )}
        <Button
          kind="quiet"
          icon="download"
          title={words.saveString}
          onClick={() =>
            saveAddress(tensorFile(name, "raw", piece.number), `${name.tag}_${name.step}_${piece.number}.bin`)
          }
        />
      </header>
      <pre data-form={asHex.value || text === null ? "hex" : "text"}>
        {asHex.value || text === null ? dump(piece.hex) : text}
      </pre>
      {piece.cut && <p class="tensor-summary__note">{words.cut(formatBytes(piece.bytes))}</p>}
    </section>
  );
}

const PER_LINE = 16;

/** Hex dump: offset, bytes, and printable characters. */
export function dump(hex: string): string {
  const pairs = hex.match(/../g) ?? [];
  const lines: string[] = [];
  for (let at = 0; at < pairs.length; at += PER_LINE) {
    const some = pairs.slice(at, at + PER_LINE);
    const letters = some.map((pair) => {
      const code = Number.parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : ".";
    });
    lines.push(`${at.toString(16).padStart(6, "0")}  ${some.join(" ").padEnd(3 * PER_LINE - 1)}  ${letters.join("")}`);
  }
  return lines.join("\n");
}
