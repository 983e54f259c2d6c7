// What draws the figures: the library, fetched once for all frames.

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
