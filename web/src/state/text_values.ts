// Texts of one series: requested by index as they become visible, several in one request, and cached. Also the search
// in them.

import { type ReadonlySignal, signal } from "@preact/signals";
import { fetchTexts, searchTexts, type TextHit, type TextQuestion, type TextStep } from "../api/client";
import { asProblem, type Problem } from "./board";
import type { SeriesSteps } from "./steps";
import { boardSettings } from "./view";

export type { TextHit, TextStep };

/** A text, and the maximum length that was requested. */
export type HeldText = TextStep & { readonly limit: number };

export type TextForm = NonNullable<TextQuestion["form"]>;

type Source = { readonly run: string; readonly tag: string };

/** Characters of a text that are shown at first, and after each request for more. */
const CHARS = [50_000, 500_000, 2_000_000] as const;
const [, , MOST_CHARS] = CHARS;

/** Returns true if more of the text can be shown. */
export function mayGrow({ cut, chars, limit }: HeldText): boolean {
  return cut && chars > limit && limit < MOST_CHARS;
}

// one request: one or two screens of short texts
const MOST_AT_ONCE = 30;
const MOST_HELD = 400;

/** Returns a name that identifies a point, independent of its index in the series. */
export function nameOf({ steps, walls }: Pick<SeriesSteps, "steps" | "walls">, place: number): string {
  return `${steps[place]}|${walls[place]}`;
}

export type TextLoader = {
  /** Changes whenever a text has arrived. */
  readonly version: ReadonlySignal<number>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly get: (name: string) => HeldText | undefined;
  /** Sets the visible indices, the most urgent first. It replaces earlier ones that have not been requested yet. */
  readonly want: (series: SeriesSteps, places: readonly number[]) => void;
  /** Requests a longer part of a text. */
  readonly more: (series: SeriesSteps, place: number) => void;
  readonly retry: () => void;
};

function rewindsOf(): Pick<TextQuestion, "rewinds"> {
  const { rewinds } = boardSettings.peek();
  return rewinds === "board" ? {} : { rewinds };
}

type Wanted = { readonly place: number; readonly name: string };

export function textLoader(source: Source, form: TextForm): TextLoader {
  const held = new Map<string, HeldText>();
  const version = signal(0);
  const problem = signal<Problem | null>(null);
  let wanted: readonly Wanted[] = [];
  /** A request for missing texts is in flight. */
  let busy = false;

  const load = async (places: readonly number[], chars: number): Promise<void> => {
    const { texts } = await fetchTexts({ ...source, at: places, form, chars, ...rewindsOf() });
    for (const text of texts) keep(held, wanted, `${text.step}|${Number(text.wall_time)}`, { ...text, limit: chars });
    version.value += 1;
  };
  const loadMissing = async (): Promise<void> => {
    if (busy || problem.peek() !== null) return;
    const missing = wanted.filter(({ name }) => !held.has(name)).slice(0, MOST_AT_ONCE);
    const [first] = missing;
    if (first === undefined) return;
    busy = true;
    try {
      const places = missing.map(({ place }) => place);
      await load(places, CHARS[0]);
      // points whose index has changed meanwhile are requested again with the new index
      if (!held.has(first.name)) wanted = wanted.filter((one) => one !== first);
    } catch (error) {
      problem.value = asProblem(error);
    }
    busy = false;
    void loadMissing();
  };
  return {
    version,
    problem,
    get: (name) => held.get(name),
    want: (series, places) => {
      wanted = places.map((place) => ({ place, name: nameOf(series, place) }));
      void loadMissing();
    },
    more: (series, place) => {
      load([place], nextLimit(held.get(nameOf(series, place)))).catch((error: unknown) => {
        problem.value = asProblem(error);
      });
    },
    retry: () => {
      problem.value = null;
      void loadMissing();
    },
  };
}

function nextLimit(text: HeldText | undefined): number {
  return CHARS.find((most) => most > (text?.limit ?? 0)) ?? MOST_CHARS;
}

/** Adds a text to the cache; if there are too many, drops the oldest ones that are not wanted. */
function keep(held: Map<string, HeldText>, wanted: readonly Wanted[], name: string, text: HeldText): void {
  held.delete(name);
  held.set(name, text);
  for (const old of held.keys()) {
    if (held.size <= MOST_HELD) break;
    if (!wanted.some((one) => one.name === old)) held.delete(old);
  }
}

/** Reads the text as it was written; `cut` says if it is incomplete. */
export async function readSource(source: Source, place: number, stop?: AbortSignal): Promise<TextStep | null> {
  const question = { ...source, at: [place], form: "source" as const, chars: MOST_CHARS, ...rewindsOf() };
  const { texts } = await fetchTexts(question, { signal: stop });
  return texts[0] ?? null;
}

export type TextFinds = {
  /** Newest first. */
  readonly hits: readonly TextHit[];
  readonly done: boolean;
};

/** Searches all texts of a series, some at a time; `onFinds` is called with all hits so far. */
export async function findTexts(
  source: Source,
  words: string,
  onFinds: (finds: TextFinds) => void,
  stop: AbortSignal,
): Promise<void> {
  let hits: readonly TextHit[] = [];
  let before: number | null = null;
  do {
    const question = { ...source, words, ...(before === null ? {} : { before }), ...rewindsOf() };
    const answer: Awaited<ReturnType<typeof searchTexts>> = await searchTexts(question, { signal: stop });
    hits = [...hits, ...answer.hits];
    before = answer.next;
    if (stop.aborted) return;
    onFinds({ hits, done: before < 0 });
  } while (before >= 0);
}
