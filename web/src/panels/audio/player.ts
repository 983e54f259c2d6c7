// The player of a card: one clip, or two of which one is audible at a time. Only one player of the page plays at a
// time.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { member } from "../../state/view";

export type SideName = "a" | "b";

export type Player = {
  readonly playing: ReadonlySignal<boolean>;
  /** Seconds from the start; updated every animation frame during playback. */
  readonly time: ReadonlySignal<number>;
  /** Duration of the audible side; null until the browser knows it. */
  readonly seconds: ReadonlySignal<number | null>;
  readonly side: ReadonlySignal<SideName>;
  /** Sides that the browser cannot play. */
  readonly refused: ReadonlySignal<ReadonlySet<SideName>>;
  readonly toggle: () => void;
  readonly pause: () => void;
  readonly seek: (seconds: number) => void;
  /** Makes a side audible, at the same position. */
  readonly hear: (side: SideName) => void;
  /** A null address removes the side. */
  readonly load: (side: SideName, address: string | null) => void;
};

const SIDES: readonly SideName[] = ["a", "b"];

const volume = member("audioVolume");
const speed = member("audioSpeed");
const loop = member("audioLoop");

/** The two audio elements of a card and their state. */
type Deck = {
  readonly playing: Signal<boolean>;
  readonly time: Signal<number>;
  readonly seconds: Signal<number | null>;
  readonly side: Signal<SideName>;
  readonly refused: Signal<ReadonlySet<SideName>>;
  readonly elements: Readonly<Record<SideName, HTMLAudioElement>>;
  readonly addresses: Record<SideName, string | null>;
  /** Id of the requested animation frame that updates the time; 0: none. */
  frame: number;
};

/** A player and the number of components that use it. */
type Shared = { readonly player: Player; readonly close: () => void; users: number };

/** The players of rendered cards, by card key. */
const players = new Map<string, Shared>();

/** The player that plays now; starting another one pauses it. */
let current: Deck | null = null;

/** `makeElement` creates the audio element of a side. */
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
    // the system paused it: headphones were unplugged, or another page plays
    if (deck.playing.peek() && !element.ended && element.readyState > 2) stop(deck);
  });
  element.addEventListener("error", () => {
    if (deck.addresses[side] === null) return;
    setRefused(deck, side, true);
    if (deck.side.peek() === side) stop(deck);
  });
}

/** Returns the element of the audible side. */
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
      // interrupted by a newer source or a pause
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
    // preload, so that switching sides does not wait
    element.preload = "auto";
    return;
  }
  // another step of the same tag: continue at the same position
  deck.seconds.value = null;
  if (at > 0) seek(element, at);
  if (deck.playing.peek()) start(deck);
}

function unload(element: HTMLAudioElement): void {
  element.removeAttribute("src");
  element.load();
}

/** Applies the user's settings for all players. */
function tune(element: HTMLAudioElement): void {
  element.volume = volume.peek();
  element.loop = loop.peek();
  // a new source starts with the default rate
  element.defaultPlaybackRate = speed.peek();
  element.playbackRate = speed.peek();
}

// going to full screen removes a card and renders it again: keep its player this long
const LINGER_MS = 400;

export function usePlayer(cardKey: string): Player {
  const shared = useMemo(() => {
    const known = players.get(cardKey) ?? { ...createPlayer(), users: 0 };
    players.set(cardKey, known);
    return known;
  }, [cardKey]);
  useEffect(() => {
    shared.users++;
    // the player may have been closed between rendering and this effect
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

/** Returns the player of a card, if it exists. */
export function playerOf(cardKey: string): Player | undefined {
  return players.get(cardKey)?.player;
}
