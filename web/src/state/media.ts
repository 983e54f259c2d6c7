// Images, clips and videos: their facts, each requested once, and their bytes.

import {
  type AudioFacts,
  fetchAudioFacts,
  fetchBlob,
  fetchImageFacts,
  fetchVideoFacts,
  type ImageFacts,
  type VideoFacts,
} from "../api/client";

export type { AudioFacts, ImageBox, ImageFacts, ImageMask, VideoFacts } from "../api/client";

// for an hour-long video the times of its frames take a megabyte; most entries take a kilobyte
const MOST = 300;

/** Caches responses by URL; failed requests are repeated. */
function kept<T>(ask: (address: string) => Promise<T>): (address: string) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  return (address) => {
    const known = answers.get(address);
    if (known !== undefined) return known;
    const asked = ask(address);
    answers.set(address, asked);
    asked.catch(() => answers.delete(address));
    const [oldest] = answers.keys();
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest);
    return asked;
  };
}

export const imageFacts: (address: string) => Promise<ImageFacts> = kept(fetchImageFacts);
export const audioFacts: (address: string) => Promise<AudioFacts> = kept(fetchAudioFacts);
export const videoFacts: (address: string) => Promise<VideoFacts> = kept(fetchVideoFacts);

export function blobBytes(address: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return fetchBlob(address, { signal });
}
