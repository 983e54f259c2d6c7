// Which part of an image a card shows: the shared zoom or, if zooms are not linked, its own.

import type { ImagesZoom } from "../../state/members/images";
import { changeView, member } from "../../state/view";

const linked = member("imagesLink");
const shared = member("imagesZoom");
const own = member("imagesZoomOf");

/** Null: the whole image. Reads signals, so the caller runs again after changes. */
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

/** Linking: all images take the zoom of the first zoomed card. Unlinking: each card has its own zoom, at first none. */
export function toggleLink(): void {
  const link = !linked.peek();
  const [first] = Object.values(own.peek());
  changeView(link ? { imagesLink: true, imagesZoom: first ?? null, imagesZoomOf: {} } : { imagesLink: false });
}

/** Returns whether any image is zoomed. */
export function anyZoom(): boolean {
  return linked.value ? shared.value !== null : Object.keys(own.value).length > 0;
}

export function wholeAgain(): void {
  changeView({ imagesZoom: null, imagesZoomOf: {} });
}
