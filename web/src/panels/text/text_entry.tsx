// One step of a text card: time, text, and actions.

import type { JSX } from "preact";
import { formatIso } from "../../base/locale";
import { formatStep } from "../../cards/step_slider";
import { explainedText } from "../../state/explained";
import { type HeldText, mayGrow } from "../../state/text_values";
import * as textWords from "../../state/texts/text";
import { dateText, grouped, spoken, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { SafeMarkup } from "./safe_markup";
import "./text_entry.css";

type Properties = {
  readonly step: number | bigint;
  readonly wall: number;
  /** Undefined while it is loading. */
  readonly text: HeldText | undefined;
  readonly markdown: boolean;
  readonly words: string;
  readonly chosen: boolean;
  /** An earlier step exists to compare with. */
  readonly comparable: boolean;
  readonly onChoose: () => void;
  readonly onCompare: () => void;
  readonly onCopy: () => void;
  readonly onDownload: () => void;
  readonly onMore: () => void;
};

export function TextEntry(properties: Properties): JSX.Element {
  const { step, wall, text, markdown, words: wanted, chosen, comparable } = properties;
  const words = spoken(textWords);
  const shared = texts.value.cards;
  const time = dateText(wall, "second");
  return (
    <article class={chosen ? "text-entry text-entry--chosen" : "text-entry"} data-step={String(step)}>
      <header class="text-entry__head">
        <button
          type="button"
          class="text-entry__step"
          title={chosen ? words.unlinkStep : words.linkStep}
          aria-pressed={chosen}
          onClick={properties.onChoose}
        >
          {shared.atStep(formatStep(step))}
        </button>
        {time !== null && <time title={formatIso(wall) ?? time}>{time}</time>}
        <span class="text-entry__buttons">
          <Button kind="quiet" icon="copy" title={words.copy} onClick={properties.onCopy} />
          {comparable && (
            <Button
              kind="quiet"
              icon="compare"
              title={words.compare}
              testId="text-compare"
              onClick={properties.onCompare}
            />
          )}
          <Button kind="quiet" icon="download" title={words.download} onClick={properties.onDownload} />
        </span>
      </header>
      {text?.cut === true && <CutNote {...properties} text={text} />}
      <Body text={text} markdown={markdown} wanted={wanted} />
    </article>
  );
}

type BodyProps = Pick<Properties, "text" | "markdown"> & { readonly wanted: string };

function Body({ text, markdown, wanted }: BodyProps): JSX.Element {
  const words = spoken(textWords);
  if (text === undefined) return <div class="text-entry__waiting" />;
  if (text.problem !== null) {
    return (
      <div class="text-entry__problem" role="alert">
        <strong>{words.broken}</strong> {explainedText(text.problem)}
      </div>
    );
  }
  if (text.chars === 0 && text.shape.every((size) => size < 2)) {
    return <div class="text-entry__empty">{words.empty}</div>;
  }
  const single = text.shape.length === 1 && text.shape[0] === 1;
  return <SafeMarkup html={text.text} plain={!markdown} single={single} words={wanted} />;
}

function CutNote({ text, onMore, onDownload }: Properties & { readonly text: HeldText }): JSX.Element {
  const words = spoken(textWords);
  const all = grouped(text.chars);
  return (
    <div class="text-entry__cut" role="note">
      <span>{text.shape.length > 0 ? words.cutTable(all) : words.cut(grouped(text.limit), all)}</span>
      {mayGrow(text) && <Button label={words.more} title={words.more} testId="text-more" onClick={onMore} />}
      <Button label={words.download} icon="download" title={words.download} onClick={onDownload} />
    </div>
  );
}
