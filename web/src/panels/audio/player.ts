// The player of a card: one clip, or two of which one is heard at a time. Only one player of the page plays.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { member } from "../../state/view";

export type SideName = "a" | "b";

export type Player = {
  readonly playing: ReadonlySignal<boolean>;
  /** Seconds from the beginning; followed frame by frame while it plays. */
  readonly time: ReadonlySignal<number>;
  /** Of the side that is heard, once the browser knows. */
  readonly seconds: ReadonlySignal<number | null>;
  readonly side: ReadonlySignal<SideName>;
  /** Sides the browser refused to play. */
  readonly refused: ReadonlySignal<ReadonlySet<SideName>>;
  readonly toggle: () => void;
  readonly pause: () => void;
  readonly seek: (seconds: number) => void;
  /** The other side from the same position on. */
  readonly hear: (side: SideName) => void;
  /** Null: there is no such side. */
  readonly load: (side: SideName, address: string | null) => void;
};

const SIDES: readonly SideName[] = ["a", "b"];

const volume = member("audioVolume");
const speed = member("audioSpeed");
const loop = member("audioLoop");

/** The two elements of a card and what is known of them. */
type Deck = {
  readonly playing: Signal<boolean>;
  readonly time: Signal<number>;
  readonly seconds: Signal<number | null>;
  readonly side: Signal<SideName>;
  readonly refused: Signal<ReadonlySet<SideName>>;
  readonly elements: Readonly<Record<SideName, HTMLAudioElement>>;
  readonly addresses: Record<SideName, string | null>;
  /** The requested animation frame that follows the time; 0: none. */
  frame: number;
};

/** A player and how many components show it. */
type Shared = { readonly player: Player; readonly close: () => void; users: number };

/** The players of cards on the page, by the key of the card. */
const players = new Map<string, Shared>();

/** The one that plays; starting another pauses it. */
let current: Deck | null = null;

/** `makeElement` makes the element of a side. */
export function createPlayer(makeElement: () => HTMLAudioElement = () => new Audio()): {
  readonly player: Player;
  readonly close: () => void;
} {
  const deck: Deck = {
    playing: signal(false),
    time: signal(0),
    seconds: signal(null),
    side: signal("a"),
    refused: signal(new Set<SideName>()),
    elements: { a: makeElement(), b: makeElement() },
    addresses: { a: null, b: null },
    frame: 0,
  };
  for (const side of SIDES) listenTo(deck, side);
  const stopTuning = effect(() => {
    void [volume.value, speed.value, loop.value];
    for (const side of SIDES) tune(deck.elements[side]);
  });
  const close = (): void => {
    stop(deck);
    stopTuning();
    for (const side of SIDES) unload(deck.elements[side]);
  };
  return { player: playerOn(deck), close };
}

function playerOn(deck: Deck): Player {
  const { playing, time, seconds, side, refused } = deck;
  return {
    playing,
    time,
    seconds,
    side,
    refused,
    toggle: () => {
      if (playing.peek()) stop(deck);
      else start(deck);
    },
    pause: () => stop(deck),
    seek: (at) => {
      const to = Math.max(0, at);
      time.value = to;
      seek(heard(deck), to);
    },
    hear: (name) => hear(deck, name),
    load: (name, address) => load(deck, name, address),
  };
}

function listenTo(deck: Deck, side: SideName): void {
  const element = deck.elements[side];
  element.preload = "none";
  const on = (name: string, handle: () => void): void =>
    element.addEventListener(name, () => {
      if (deck.side.peek() === side) handle();
    });
  const showTime = (): void => {
    deck.time.value = element.currentTime;
  };
  on("durationchange", () => measure(deck));
  on("timeupdate", showTime);
  on("seeked", showTime);
  on("ended", () => stop(deck));
  on("pause", () => {
    // the system paused it: a headset was pulled, another page plays
    if (deck.playing.peek() && !element.ended && element.readyState > 2) stop(deck);
  });
  element.addEventListener("error", () => {
    if (deck.addresses[side] === null) return;
    setRefused(deck, side, true);
    if (deck.side.peek() === side) stop(deck);
  });
}

/** The element of the side that is heard. */
function heard({ elements, side }: Deck): HTMLAudioElement {
  return elements[side.peek()];
}

function measure(deck: Deck): void {
  const { duration } = heard(deck);
  deck.seconds.value = Number.isFinite(duration) ? duration : null;
}

function setRefused({ refused }: Deck, side: SideName, is: boolean): void {
  if (refused.peek().has(side) === is) return;
  const next = new Set(refused.peek());
  if (is) next.add(side);
  else next.delete(side);
  refused.value = next;
}

function start(deck: Deck): void {
  if (current !== null && current !== deck) stop(current);
  current = deck;
  deck.playing.value = true;
  heard(deck)
    .play()
    .catch((error: unknown) => {
      // a newer source, or a pause, came in between
      if (error instanceof DOMException && error.name === "AbortError") return;
      stop(deck);
    });
  if (deck.frame === 0) deck.frame = requestAnimationFrame(() => followTime(deck));
}

function followTime(deck: Deck): void {
  deck.time.value = heard(deck).currentTime;
  deck.frame = deck.playing.peek() ? requestAnimationFrame(() => followTime(deck)) : 0;
}

function stop(deck: Deck): void {
  deck.playing.value = false;
  for (const side of SIDES) deck.elements[side].pause();
  if (current === deck) current = null;
}

function seek(element: HTMLAudioElement, at: number): void {
  const { duration } = element;
  element.currentTime = Number.isFinite(duration) ? Math.min(at, duration) : at;
}

function hear(deck: Deck, side: SideName): void {
  if (side === deck.side.peek() || deck.addresses[side] === null) return;
  const before = heard(deck);
  const at = before.ended ? before.duration : deck.time.peek();
  deck.side.value = side;
  seek(heard(deck), at);
  before.pause();
  measure(deck);
  if (deck.playing.peek()) start(deck);
}

function load(deck: Deck, side: SideName, address: string | null): void {
  if (deck.addresses[side] === address) return;
  deck.addresses[side] = address;
  setRefused(deck, side, false);
  const element = deck.elements[side];
  const isHeard = deck.side.peek() === side;
  if (address === null) {
    unload(element);
    if (isHeard && side === "b") hear(deck, "a");
    return;
  }
  const at = deck.time.peek();
  element.src = address;
  tune(element);
  if (!isHeard) {
    // switching must not wait
    element.preload = "auto";
    return;
  }
  // another step of the same: it goes on where the last one was
  deck.seconds.value = null;
  if (at > 0) seek(element, at);
  if (deck.playing.peek()) start(deck);
}

function unload(element: HTMLAudioElement): void {
  element.removeAttribute("src");
  element.load();
}

/** Sets what the reader chose for all players. */
function tune(element: HTMLAudioElement): void {
  element.volume = volume.peek();
  element.loop = loop.peek();
  // a new source begins at the default one
  element.defaultPlaybackRate = speed.peek();
  element.playbackRate = speed.peek();
}

// a card that goes to full screen is taken down and put up again: it plays on
const LINGER_MS = 400;

export function usePlayer(cardKey: string): Player {
  const shared = useMemo(() => {
    const known = players.get(cardKey) ?? { ...createPlayer(), users: 0 };
    players.set(cardKey, known);
    return known;
  }, [cardKey]);
  useEffect(() => {
    shared.users++;
    // it may have been closed between drawing and now
    players.set(cardKey, shared);
    return () => {
      shared.users--;
      setTimeout(() => {
        if (shared.users > 0) return;
        shared.close();
        if (players.get(cardKey) === shared) players.delete(cardKey);
      }, LINGER_MS);
    };
  }, [shared, cardKey]);
  return shared.player;
}

/** The player of a card, where there is one. */
export function playerOf(cardKey: string): Player | undefined {
  return players.get(cardKey)?.player;
}
