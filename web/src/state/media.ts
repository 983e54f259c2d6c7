// Pictures, clips and films: what they are, asked once each, and their bytes.

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

// of an hour-long film the times of its frames are a megabyte; most have a kilobyte
const MOST = 300;

/** Answers by address; what failed is asked again. */
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
