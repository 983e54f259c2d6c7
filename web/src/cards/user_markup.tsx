// Renders HTML from the board's sanitizer. Links open in a new tab. External images, which the Content Security Policy
// of the page blocks, become links.

import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../state/view";

export function safeContent(html: string, remark: string): DocumentFragment {
  // content of a <template> loads no resources
  const inert = document.createElement("template");
  inert.innerHTML = html;
  for (const image of inert.content.querySelectorAll("img")) image.replaceWith(linkTo(image, remark));
  for (const link of inert.content.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  return inert.content;
}

type Properties = {
  /** Sanitized by the board: only elements that Markdown can produce. */
  readonly html: string;
  readonly className: string;
  readonly title?: string | undefined;
  readonly testId?: string | undefined;
};

/** Text written by users, such as a note or a label. */
export function UserMarkup({ html, className, title, testId }: Properties): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const remark = texts.value.cards.outsideImage;
  useLayoutEffect(() => place.current?.replaceChildren(safeContent(html, remark)), [html, remark]);
  return <div ref={place} class={className} title={title} data-testid={testId} />;
}

function linkTo(image: HTMLImageElement, remark: string): HTMLElement {
  const link = document.createElement("a");
  link.className = "markup__outside";
  const address = image.getAttribute("src") ?? "";
  link.href = address;
  link.title = remark;
  link.textContent = image.alt || address || remark;
  return link;
}
