// Texts of one series: asked for place by place as they come into sight, several in one request, and kept. And which of
// them have what the reader looks for.

import { type ReadonlySignal, signal } from "@preact/signals";
import { fetchTexts, searchTexts, type TextHit, type TextQuestion, type TextStep } from "../api/client";
import { asProblem, type Problem } from "./board";
import type { SeriesSteps } from "./steps";
import { boardSettings } from "./view";

export type { TextHit, TextStep };

/** A text, and after how many characters it was cut if it was. */
export type HeldText = TextStep & { readonly limit: number };

export type TextForm = NonNullable<TextQuestion["form"]>;

type Source = { readonly run: string; readonly tag: string };

/** How much of a text is shown at first, and each time the reader asks for more. */
const CHARS = [50_000, 500_000, 2_000_000] as const;
const [, , MOST_CHARS] = CHARS;

/** More of it can be shown than is. */
export function mayGrow({ cut, chars, limit }: HeldText): boolean {
  return cut && chars > limit && limit < MOST_CHARS;
}

// one request: a screen or two of short texts
const MOST_AT_ONCE = 30;
const MOST_HELD = 400;

/** The same point has the same name, wherever it stands in the series by now. */
export function nameOf({ steps, walls }: Pick<SeriesSteps, "steps" | "walls">, place: number): string {
  return `${steps[place]}|${walls[place]}`;
}

export type TextLoader = {
  /** Changes whenever a text has come. */
  readonly version: ReadonlySignal<number>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly get: (name: string) => HeldText | undefined;
  /** Places in sight, those wanted most first. What was wanted before and has not been asked for is not wanted. */
  readonly want: (series: SeriesSteps, places: readonly number[]) => void;
  /** A longer part of a text. */
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
      // points that have moved meanwhile are wanted again under their new places
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

/** Adds a text, and drops the oldest ones that nobody wants when there are too many. */
function keep(held: Map<string, HeldText>, wanted: readonly Wanted[], name: string, text: HeldText): void {
  held.delete(name);
  held.set(name, text);
  for (const old of held.keys()) {
    if (held.size <= MOST_HELD) break;
    if (!wanted.some((one) => one.name === old)) held.delete(old);
  }
}

/** The text as it was written, and whether that is all of it. */
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
