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

type Held = Player & { users: number; readonly close: () => void };

const volume = member("audioVolume");
const speed = member("audioSpeed");
const loop = member("audioLoop");

let current: Player | null = null;

/** The key of the card that plays. */
const players = new Map<string, Held>();

function create(): Held {
  const playing = signal(false);
  const time = signal(0);
  const seconds = signal<number | null>(null);
  const side = signal<SideName>("a");
  const refused: Signal<ReadonlySet<SideName>> = signal(new Set());
  const elements: Record<SideName, HTMLAudioElement> = { a: new Audio(), b: new Audio() };
  const addresses: Record<SideName, string | null> = { a: null, b: null };
  let frame = 0;

  const now = (): HTMLAudioElement => elements[side.peek()];
  const follow = (): void => {
    time.value = now().currentTime;
    frame = playing.peek() ? requestAnimationFrame(follow) : 0;
  };
  const setRefused = (name: SideName, is: boolean): void => {
    if (refused.peek().has(name) === is) return;
    const next = new Set(refused.peek());
    if (is) next.add(name);
    else next.delete(name);
    refused.value = next;
  };

  for (const name of ["a", "b"] as const) {
    const element = elements[name];
    element.preload = "none";
    const heard = (work: () => void) => (): void => {
      if (side.peek() === name) work();
    };
    element.addEventListener("durationchange", heard(measure));
    element.addEventListener(
      "timeupdate",
      heard(() => {
        time.value = element.currentTime;
      }),
    );
    element.addEventListener(
      "seeked",
      heard(() => {
        time.value = element.currentTime;
      }),
    );
    element.addEventListener("ended", heard(stop));
    element.addEventListener(
      "pause",
      heard(() => {
        // the system paused it: a headset was pulled, another page plays
        if (playing.peek() && !element.ended && element.readyState > 2) stop();
      }),
    );
    element.addEventListener("error", () => {
      if (addresses[name] === null) return;
      setRefused(name, true);
      if (side.peek() === name) stop();
    });
  }

  function measure(): void {
    const { duration } = now();
    seconds.value = Number.isFinite(duration) ? duration : null;
  }

  function stop(): void {
    playing.value = false;
    for (const element of Object.values(elements)) element.pause();
    if (current === player) current = null;
  }

  function start(): void {
    if (current !== null && current !== player) current.pause();
    current = player;
    playing.value = true;
    now()
      .play()
      .catch((error: unknown) => {
        // a newer source, or a pause, came in between
        if (error instanceof DOMException && error.name === "AbortError") return;
        stop();
      });
    if (frame === 0) frame = requestAnimationFrame(follow);
  }

  function put(element: HTMLAudioElement, at: number): void {
    const { duration } = element;
    element.currentTime = Number.isFinite(duration) ? Math.min(at, duration) : at;
  }

  const player: Held = {
    playing,
    time,
    seconds,
    side,
    refused,
    users: 0,
    toggle: () => {
      if (playing.peek()) stop();
      else start();
    },
    pause: stop,
    seek: (at) => {
      const wished = Math.max(0, at);
      time.value = wished;
      put(now(), wished);
    },
    hear: (name) => {
      if (name === side.peek() || addresses[name] === null) return;
      const was = now();
      const at = was.ended ? was.duration : time.peek();
      side.value = name;
      put(now(), at);
      was.pause();
      measure();
      if (playing.peek()) start();
    },
    load: (name, address) => {
      if (addresses[name] === address) return;
      addresses[name] = address;
      setRefused(name, false);
      const element = elements[name];
      const heard = side.peek() === name;
      if (address === null) {
        element.removeAttribute("src");
        element.load();
        if (heard && name === "b") player.hear("a");
        return;
      }
      const at = time.peek();
      element.src = address;
      tune(element);
      if (!heard) {
        // switching must not wait
        element.preload = "auto";
        return;
      }
      // another step of the same: it goes on where the last one was
      seconds.value = null;
      if (at > 0) put(element, at);
      if (playing.peek()) start();
    },
    close: () => {
      stop();
      dispose();
      for (const element of Object.values(elements)) {
        element.removeAttribute("src");
        element.load();
      }
    },
  };

  function tune(element: HTMLAudioElement): void {
    element.volume = volume.peek();
    element.loop = loop.peek();
    // a new source begins at the default one
    element.defaultPlaybackRate = speed.peek();
    element.playbackRate = speed.peek();
  }
  const dispose = effect(() => {
    void [volume.value, speed.value, loop.value];
    for (const element of Object.values(elements)) tune(element);
  });
  return player;
}

// a card that goes to full screen is taken down and put up again: it plays on
const LINGER_MS = 400;

export function usePlayer(cardKey: string): Player {
  const player = useMemo(() => {
    const known = players.get(cardKey) ?? create();
    players.set(cardKey, known);
    return known;
  }, [cardKey]);
  useEffect(() => {
    player.users++;
    // it may have been given up between drawing and now
    players.set(cardKey, player);
    return () => {
      player.users--;
      setTimeout(() => {
        if (player.users > 0) return;
        player.close();
        if (players.get(cardKey) === player) players.delete(cardKey);
      }, LINGER_MS);
    };
  }, [player, cardKey]);
  return player;
}

/** The player of a card, where there is one. */
export function playerOf(cardKey: string): Player | undefined {
  return players.get(cardKey);
}
