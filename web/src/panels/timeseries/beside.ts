// Cards of images and histograms among the charts. Their code is loaded on first use: by the toolbar, by a pinned card,
// or by a card in full screen.

import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { CardsOfKind } from "../../cards/kind_page";
import { kinds } from "../../state/board";
import { parseCardKey } from "../../state/card_keys";
import { isBeside, KINDS_BESIDE } from "../../state/cards";
import { reasonOf } from "../../state/explained";
import { tell } from "../../state/toasts";
import { member, texts } from "../../state/view";
import type { KindBeside, openKinds } from "./kind_cards";

export type KindLoaders = Readonly<Record<string, () => Promise<CardsOfKind>>>;

const shown = member("timeseriesKinds");
const pins = member("pins");
const full = member("full");

/** Kinds that the board has. */
export const kindsOfBoard = computed(() => KINDS_BESIDE.filter((kind) => (kinds.value[kind]?.tag.length ?? 0) > 0));

/** Kinds whose tags have cards on the page. */
const listed = computed(() => kindsOfBoard.value.filter((kind) => shown.value === "all" || shown.value === kind));

const wanted = computed(() => {
  const named = [...pins.value, full.value].filter(isBeside).map((key) => parseCardKey(key)?.kind);
  return kindsOfBoard.value.filter((kind) => listed.value.includes(kind) || named.includes(kind));
});

type Opened = ReturnType<typeof openKinds>;

const opened = signal<Opened | null>(null);

/** Returns the loaded code for the kind of a card; null before it is loaded, and for keys of other cards. */
export function besideOf(key: string): { readonly of: KindBeside; readonly opened: Opened } | null {
  const kind = parseCardKey(key)?.kind;
  const of = kind === undefined ? undefined : opened.value?.kinds.value.get(kind);
  return of === undefined || opened.value === null ? null : { of, opened: opened.value };
}

/** Loaded kinds with cards on the page, for the settings. */
export const kindsThere: ReadonlySignal<readonly CardsOfKind[]> = computed(() => {
  const there = opened.value?.kinds.value;
  return there === undefined ? [] : wanted.value.flatMap((kind) => there.get(kind)?.page ?? []);
});

/** Loads the code of requested kinds while the page is open. Returns a stop function. */
export function followBeside(loaders: KindLoaders): () => void {
  const asked = new Set(opened.peek()?.kinds.peek().keys());
  const stopFetching = effect(() => {
    for (const kind of wanted.value) {
      const load = loaders[kind];
      if (load === undefined || asked.has(kind)) continue;
      asked.add(kind);
      Promise.all([load(), import("./kind_cards")]).then(
        ([cards, { openKinds }]) => {
          opened.value ??= openKinds(listed);
          opened.value.add(cards);
        },
        (error: unknown) => {
          asked.delete(kind);
          const reason = reasonOf(error);
          tell(texts.peek().timeseries.kindFailed(texts.peek().shell.kinds[kind] ?? kind, reason), { kind: "error" });
        },
      );
    }
  });
  const stopKeys = effect(() => {
    const stops = kindsThere.value.map(({ bindKeys }) => bindKeys?.());
    return () => {
      for (const stop of stops) stop?.();
    };
  });
  return () => {
    stopFetching();
    stopKeys();
  };
}
