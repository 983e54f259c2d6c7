// Tags of one run, and the newest value of its images, clips, videos and texts, for the page of the run.

import { fetchSteps, fetchTags, fetchTexts, type StepsQuestion } from "../api/client";
import { blobOf } from "./blobs";
import { isSystemMetric } from "./run_columns";
import { stepsIn } from "./steps";

/** Tags of a run by kind, in natural order. */
export type TagsOfRun = Readonly<Record<string, readonly string[]>>;

export async function tagsOfRun(run: string): Promise<TagsOfRun> {
  const { kinds } = await fetchTags({ run: [run] });
  return Object.fromEntries(Object.entries(kinds).map(([kind, { tag }]) => [kind, tag]));
}

/** Returns metrics that at least two of the runs have, without those of the machine. */
export async function sharedMetrics(runs: readonly string[]): Promise<readonly string[]> {
  const { kinds } = await fetchTags({ run: runs });
  const { tag = [], runs: counts = [] } = kinds.scalars ?? {};
  const least = Math.min(2, runs.length);
  return tag.filter((one, at) => (counts[at] ?? 0) >= least && !isSystemMetric(one));
}

/** Kinds whose newest values the page of a run shows. */
export const MEDIA_KINDS = ["images", "video", "audio", "text"] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

export type Medium = {
  readonly kind: MediaKind;
  readonly tag: string;
  readonly step: string;
  readonly wall: number;
  /** URL of the value; of an image as small as the page shows it. */
  readonly address: string;
};

// pixels; images are shown at half of it or less
const IMAGE_WIDTH = 640;

/** Returns the newest value of each tag. */
export async function newestMedia(run: string, kind: MediaKind, tags: readonly string[]): Promise<readonly Medium[]> {
  if (tags.length === 0) return [];
  const question: StepsQuestion = { kind, tag: tags, run: [run] };
  const { series } = stepsIn(await fetchSteps(question));
  return tags.flatMap((tag): readonly Medium[] => {
    const points = series.get(tag)?.get(run);
    const last = (points?.walls.length ?? 0) - 1;
    if (points === undefined || last < 0) return [];
    const address = blobOf({ kind, tag, run }, points, last, 0, kind === "images" ? { width: IMAGE_WIDTH } : {});
    return [{ kind, tag, step: String(points.steps[last] ?? ""), wall: points.walls[last] ?? 0, address }];
  });
}

const TEXT_CHARS = 4000;

/** Returns the newest text of a tag as safe HTML; "" if there is none. */
export async function newestText(run: string, tag: string): Promise<string> {
  const { texts } = await fetchTexts({ run, tag, limit: 1, chars: TEXT_CHARS });
  return texts[0]?.text ?? "";
}
