// Parts of the head of a card: its title, and what the writer said about the tag.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import { Popover } from "../widgets/popover";
import "./card_header.css";

/** As `splitTitle` of state/sections.ts has it: what the headings above say already, and the rest. */
export type CardTitle = { readonly prefix: string; readonly rest: string };

export function TitleWords({ title }: { readonly title: CardTitle }): JSX.Element {
  return (
    <div class="card-header__title">
      {title.prefix !== "" && <span class="card-header__prefix">{title.prefix}</span>}
      {/* a name of nothing to see, as "" or " ", is quoted */}
      <span>{/\S/.test(title.prefix + title.rest) ? title.rest : JSON.stringify(title.rest)}</span>
    </div>
  );
}

/** What the writer said about tags, as text: it comes from a log file, and is not trusted with more. */
export function Description(properties: {
  readonly told: readonly { readonly tag: string; readonly text: string }[];
}): JSX.Element | null {
  const words = texts.value.cards;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const { told } = properties;
  if (told.length === 0) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        class="card-header__info"
        aria-label={words.description}
        title={told.map(({ text }) => text).join("\n\n")}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="info" />
      </button>
      {open.value && button.current !== null && (
        <Popover
          anchor={button.current}
          label={words.description}
          className="card-header__description"
          onClose={() => {
            open.value = false;
          }}
        >
          {told.map(({ tag, text }) => (
            <div key={tag}>
              <strong>{tag}</strong>
              <p>{text}</p>
            </div>
          ))}
        </Popover>
      )}
    </>
  );
}
