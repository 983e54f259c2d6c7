// Content of a tensor card: a summary line, then statistics, a heat map of a plane, or values; and the step slider.

import type { JSX } from "preact";
import { formatBytes } from "../../base/sizes";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { CardStep } from "../../cards/step_slider";
import { explainedText, reasonOf } from "../../state/explained";
import { pointName } from "../../state/point_name";
import { choiceOf } from "../../state/step_choice";
import { type PointName, type TensorHeader, type TensorPart, tensorFile } from "../../state/tensors";
import * as tensorsWords from "../../state/texts/tensors";
import { grouped, member, spoken } from "../../state/view";
import { fileName, saveAddress } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { cutOf } from "./cuts";
import { HeatMap } from "./heat_map";
import { Strings } from "./strings";
import { Summary } from "./summary";
import "./tensor_card.css";
import { usePart } from "./use_part";
import { ValueTable } from "./value_table";

const chosenView = member("tensorsView");

export function TensorCard(props: KindCardProps): JSX.Element {
  const { card, series, urgency } = props;
  const words = spoken(tensorsWords);
  const choice = choiceOf(card.key, series.steps);
  const name = pointName(card, series, choice.at);
  const about = usePart({ ...name, cells: 0, rows: 1 }, urgency);
  const shown = about.shown.value;
  const problem = about.problem.value;
  return (
    <>
      <div class="tensor-card">
        {problem !== null ? (
          <CardProblem title={words.failed} message={reasonOf(problem)} onRetry={about.retry} />
        ) : shown === null ? (
          <div class="kind-card__skeleton" />
        ) : (
          <>
            <About header={shown.header} />
            <div
              class="tensor-card__part"
              data-drawn={shown.header.count}
              data-step={String(shown.header.step)}
              data-view={shown.header.dtype === "string" ? "strings" : chosenView.value}
            >
              <Inside cardKey={card.key} name={name} part={shown} urgency={urgency} />
            </div>
          </>
        )}
        {about.busy.value && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={about.busy.value} />
    </>
  );
}

type InsideProps = {
  readonly cardKey: string;
  readonly name: PointName;
  readonly part: TensorPart;
  readonly urgency: () => number;
};

function Inside({ cardKey, name, part, urgency }: InsideProps): JSX.Element {
  const words = spoken(tensorsWords);
  const { problem, dtype, count, shape } = part.header;
  if (problem !== null) {
    return (
      <div class="card__message" role="alert">
        <strong>{words.failed}</strong>
        <span>{explainedText(problem)}</span>
      </div>
    );
  }
  if (dtype === "string") return <Strings name={name} count={count} urgency={urgency} />;
  if (count === 0) return <div class="card__message">{words.empty}</div>;
  if (chosenView.value === "summary") return <Summary part={part} />;
  if (chosenView.value === "map") return <HeatMap cardKey={cardKey} name={name} about={part} urgency={urgency} />;
  const cut = cutOf(cardKey, shape);
  return <ValueTable cardKey={cardKey} name={name} dtype={dtype} shape={shape} cut={cut} urgency={urgency} />;
}

function About({ header }: { readonly header: TensorHeader }): JSX.Element {
  const words = spoken(tensorsWords);
  const { content } = header;
  const more = [
    header.display_name !== "" ? header.display_name : "",
    header.data_class !== "" ? `${words.dataClass}: ${header.data_class}` : "",
    header.content_type !== "" ? `${words.contentType}: ${header.content_type}` : "",
    content !== null ? `${words.content} (${formatBytes(content.bytes)}): ${content.text ?? spaced(content.hex)}` : "",
  ].filter((line) => line !== "");
  return (
    <div class="tensor-card__about" title={more.join("\n")} data-testid="tensor-about">
      {header.problem === null && (
        <>
          <code class="tensor-card__type">
            {header.dtype} [{header.shape.join(", ")}]
          </code>
          <span>{words.elements(grouped(header.count))}</span>
          <span>{formatBytes(header.bytes)}</span>
        </>
      )}
      <span>{header.plugin === "" ? words.noPlugin : words.plugin(header.plugin)}</span>
    </div>
  );
}

/** Separates hex digits into pairs; returns at most `most` pairs. */
export function spaced(hex: string, most = 64): string {
  const pairs = hex.match(/../g) ?? [];
  return pairs.slice(0, most).join(" ") + (pairs.length > most ? " …" : "");
}

export function tensorMenu({ card, series }: KindCardProps): readonly MenuItem[] {
  const words = spoken(tensorsWords);
  const { at } = choiceOf(card.key, series.steps);
  const name = pointName(card, series, at);
  const save = (format: "npy" | "raw", ending: string) => (): void => {
    const title = [card.tag, card.run, name.step].filter((part) => part !== "").join("_");
    saveAddress(tensorFile(name, format), fileName(title, ending));
  };
  return [
    { label: words.npy, icon: "download", onSelect: save("npy", "npy") },
    { label: words.raw, icon: "download", onSelect: save("raw", "bin") },
  ];
}
