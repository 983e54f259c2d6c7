// What a frame with a figure is handed: the library, fetched once for all of them, and the figure as it was logged.

import library from "plotly.js-strict-dist-min/plotly-strict.min.js?url";
import { fetchFile } from "../api/client";

let fetched: Promise<Blob> | null = null;

export function fetchLibrary(): Promise<Blob> {
  fetched ??= fetchFile(library).catch((error: unknown) => {
    // asked again by the next attempt
    fetched = null;
    throw error;
  });
  return fetched;
}

export function fetchFigure(address: string, stop: AbortSignal): Promise<Blob> {
  return fetchFile(address, { signal: stop });
}
