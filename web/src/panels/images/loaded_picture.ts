// Loads an image: the previous one stays until the next has loaded completely.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";

export type Wanted = {
  readonly url: string;
  /** URL of the image as it was logged, tried if `url` fails: browsers know formats that the server does not. */
  readonly whole: string;
  readonly step: string;
};

export type Loaded = Wanted & {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of images that the card has shown so far. */
  readonly drawn: number;
};

export type LoadedPicture = {
  readonly shown: ReadonlySignal<Loaded | null>;
  /** The requested image cannot be shown. */
  readonly failed: ReadonlySignal<boolean>;
  readonly busy: ReadonlySignal<boolean>;
};

async function decode(image: HTMLImageElement, url: string): Promise<Pick<Loaded, "url" | "widthPx" | "heightPx">> {
  image.src = url;
  await image.decode();
  return { url, widthPx: image.naturalWidth, heightPx: image.naturalHeight };
}

export function useLoadedPicture(wanted: Wanted | null): LoadedPicture {
  const picture = useMemo(
    () => ({ shown: signal<Loaded | null>(null), failed: signal(false), busy: signal(false) }),
    [],
  );
  useEffect(() => {
    if (wanted === null || picture.shown.peek()?.url === wanted.url) {
      if (wanted === null) picture.shown.value = null;
      picture.busy.value = false;
      picture.failed.value = false;
      return;
    }
    let cancelled = false;
    const image = new Image();
    picture.busy.value = true;
    decode(image, wanted.url)
      .catch((error: unknown) => {
        if (cancelled || wanted.whole === wanted.url) throw error;
        return decode(image, wanted.whole);
      })
      .then(
        (loaded) => {
          if (cancelled) return;
          const drawn = (picture.shown.peek()?.drawn ?? 0) + 1;
          picture.shown.value = { ...wanted, ...loaded, drawn };
          picture.failed.value = false;
        },
        () => {
          if (!cancelled) picture.failed.value = true;
        },
      )
      .finally(() => {
        if (!cancelled) picture.busy.value = false;
      });
    return () => {
      cancelled = true;
      // cancels a running request
      image.src = "";
    };
  }, [wanted?.url, picture]);
  return picture;
}
