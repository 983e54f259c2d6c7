// Which part of a picture a card shows: the one that all pictures share, or, where they are not linked, its own.

import type { ImagesZoom } from "../../state/members/images";
import { changeView, member } from "../../state/view";

const linked = member("imagesLink");
const shared = member("imagesZoom");
const own = member("imagesZoomOf");

/** Null: all of it. Read where signals are followed. */
export function zoomOf(cardKey: string): ImagesZoom | null {
  return linked.value ? shared.value : (own.value[cardKey] ?? null);
}

export function putZoom(cardKey: string, zoom: ImagesZoom | null): void {
  if (linked.peek()) {
    changeView({ imagesZoom: zoom });
    return;
  }
  const { [cardKey]: _, ...others } = own.peek();
  changeView({ imagesZoomOf: zoom === null ? others : { ...others, [cardKey]: zoom } });
}

/** What a card shows becomes what all show; apart, they begin with what they showed together. */
export function toggleLink(): void {
  const link = !linked.peek();
  const [first] = Object.values(own.peek());
  changeView(link ? { imagesLink: true, imagesZoom: first ?? null, imagesZoomOf: {} } : { imagesLink: false });
}

/** Whether any picture is zoomed. */
export function anyZoom(): boolean {
  return linked.value ? shared.value !== null : Object.keys(own.value).length > 0;
}

export function wholeAgain(): void {
  changeView({ imagesZoom: null, imagesZoomOf: {} });
}
