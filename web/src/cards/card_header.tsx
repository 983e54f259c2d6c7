// Parts of the header of a card: its title, and the description that the writer gave the tag.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { loadDescriptions, type Said } from "../state/descriptions";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import { Popover } from "../widgets/popover";
import "./card_header.css";
import { UserMarkup } from "./user_markup";

/** Result of `splitTitle` in state/sections.ts: the part that the headings above show already, and the rest. */
export type CardTitle = { readonly prefix: string; readonly rest: string };

export function TitleWords({ title }: { readonly title: CardTitle }): JSX.Element {
  return (
    <div class="card-header__title">
      {title.prefix !== "" && <span class="card-header__prefix">{title.prefix}</span>}
      {/* a name without visible characters, such as "" or " ", is quoted */}
      <span>{/\S/.test(title.prefix + title.rest) ? title.rest : JSON.stringify(title.rest)}</span>
    </div>
  );
}

type Told = { readonly tag: string; readonly text: string };

/** Description of a tag by its writer: plain text first, rendered as Markdown when the user opens it. */
export function Description({
  kind,
  told,
}: {
  readonly kind: string;
  readonly told: readonly Told[];
}): JSX.Element | null {
  const words = texts.value.cards;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
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
            <Texts key={tag} kind={kind} tag={tag} text={text} />
          ))}
        </Popover>
      )}
    </>
  );
}

function Texts({ kind, tag, text }: Told & { readonly kind: string }): JSX.Element {
  const words = texts.value.cards;
  const said = useSignal<readonly Said[]>([]);
  useEffect(
    () =>
      loadDescriptions(kind, tag, (found) => {
        said.value = found;
      }),
    [kind, tag],
  );
  const several = said.value.length > 1;
  return (
    <section>
      <strong>{tag}</strong>
      {said.value.length === 0 && <p>{text}</p>}
      {said.value.map(({ html, runs, count }) => (
        <div key={html}>
          {several && <div class="card-header__speakers">{words.saidBy(runs, count - runs.length)}</div>}
          <UserMarkup className="card-header__markup" html={html} testId="description" />
        </div>
      ))}
    </section>
  );
}
