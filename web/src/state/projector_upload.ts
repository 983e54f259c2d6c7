// Vectors from the reader's disk: sent to the board, which works with them like with logged ones and forgets them.

import { uploadEmbedding } from "../api/client";
import { asProblem } from "./board";
import { brought, broughtMetadata, chooseEmbedding, settled } from "./projector";

/** Null: it is on display. */
export async function bringEmbedding(
  tensors: File,
  metadata: File | null,
): Promise<{ readonly message: string; readonly hint: string } | null> {
  try {
    const bare = await uploadEmbedding(tensors, { name: tensors.name });
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
