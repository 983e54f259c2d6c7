// Renders HTML from the board's sanitizer and no other HTML. Links open in a new tab; images become links with a note,
// because the page's content security policy blocks images from other servers.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { safeContent } from "../../cards/user_markup";
import { texts } from "../../state/view";
import { markFinds } from "./found_marks";
import "./safe_markup.css";

type Properties = {
  /** Sanitized HTML from /api/text. */
  readonly html: string;
  /** Shown as written: line breaks are kept. */
  readonly plain: boolean;
  /** A list with one string, as many writers log it: its table is drawn without borders. */
  readonly single: boolean;
  /** Words to highlight; "": none. */
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
