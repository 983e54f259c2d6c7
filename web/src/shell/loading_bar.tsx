// A thin progress line below the top bar while logs are read: it never moves the page.

import type { JSX } from "preact";
import { formatShare } from "../base/sizes";

import { type Progress, progress } from "../state/board";
import { texts } from "../state/view";
import "./loading_bar.css";

/** "Reading 1.2 of 4.8 GB, 31 of 50 runs", while a bucket is listed "Listing… 12,000 files found" */
export function progressText(now: Progress): string {
  const words = texts.value.shell.reading;
  if (now.bytes_total === 0) return now.files_total === 0 ? words.looking : words.listing(now.files_total);
  const [read, total] = formatShare(now.bytes_read, now.bytes_total);
  return words.progress(read, total, now.runs_read, now.runs_total);
}

export function LoadingBar(): JSX.Element | null {
  const now = progress.value;
  if (now === null || now.done) return null;
  const share = now.bytes_total === 0 ? 0 : Math.min(1, now.bytes_read / now.bytes_total);
  const text = progressText(now);
  return (
    <div
      class="loading-bar"
      role="progressbar"
      aria-label={text}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      title={text}
    >
      <div class="loading-bar__done" style={{ transform: `scaleX(${share})` }} />
    </div>
  );
}
