// The Plotly library, fetched once for all frames.

import library from "plotly.js-strict-dist-min/plotly-strict.min.js?url";
import { fetchFile } from "../api/client";

let fetched: Promise<Blob> | null = null;

export function fetchLibrary(): Promise<Blob> {
  fetched ??= fetchFile(library).catch((error: unknown) => {
    // the next call tries again
    fetched = null;
    throw error;
  });
  return fetched;
}
