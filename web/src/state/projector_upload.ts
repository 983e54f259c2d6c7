// Uploads vectors from the user's disk to the board, which handles them like logged ones but does not store them
// permanently.

import { uploadEmbedding } from "../api/client";
import { asProblem } from "./board";
import { brought, broughtMetadata, chooseEmbedding, settled } from "./projector";

/** Returns true for files of raw numbers, without a shape. */
export const isRaw = ({ name }: Pick<File, "name">): boolean => /\.(bytes|bin|raw|dat)$/i.test(name);

/** Returns null if the embedding is shown now. `dims`: for raw numbers, the dimensions of each point. */
export async function bringEmbedding(
  tensors: File,
  metadata: File | null,
  dims: number | null = null,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  try {
    const told = { name: tensors.name, ...(dims !== null && isRaw(tensors) ? { dims: String(dims) } : {}) };
    const bare = await uploadEmbedding(tensors, told);
    const embedding = settled(metadata === null ? bare : await uploadEmbedding(metadata, { of: bare.name }));
    if (metadata !== null) broughtMetadata.set(embedding.name, metadata);
    const others = brought.peek().filter((one) => one.name !== embedding.name);
    brought.value = [embedding, ...others];
    chooseEmbedding(embedding);
    return null;
  } catch (error) {
    return asProblem(error);
  }
}
