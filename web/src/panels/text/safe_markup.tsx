// Markup that the board's sanitiser made, and nothing else becomes markup here. Links open beside the board; pictures, none
// of which lies on a board and which the page's policy refuses to load from elsewhere, become links that say so.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { safeContent } from "../../cards/user_markup";
import { texts } from "../../state/view";
import { markFinds } from "./found_marks";
import "./safe_markup.css";

type Properties = {
  /** From /api/text. */
  readonly html: string;
  /** As it was written: line breaks count. */
  readonly plain: boolean;
  /** One string in a list of one, as many writers log it: its table needs no lines. */
  readonly single: boolean;
  /** Words to mark; "" for none. */
  readonly words: string;
};

export function SafeMarkup({ html, plain, single, words }: Properties): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const remark = texts.value.cards.outsideImage;
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    element.replaceChildren(safeContent(html, remark));
  }, [html, remark]);
  useLayoutEffect(() => (place.current === null ? undefined : markFinds(place.current, words)), [html, words, remark]);
  return <div ref={place} class={`markup${plain ? " markup--plain" : ""}${single ? " markup--single" : ""}`} />;
}
