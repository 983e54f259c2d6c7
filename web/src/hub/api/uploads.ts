// Requests about uploads.

import { addressOf, get, part, patch, remove } from "./client";
import type { Visibility } from "./types";

export type Upload = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Of its board; empty if the board was deleted. */
  readonly url: string;
  readonly board: string;
  readonly workspace: string;
  readonly owner: string;
  readonly visibility: Visibility;
  /** "points": the hub wrote the files from what tensorboard's uploader sent. */
  readonly form: string;
  readonly created: string;
  readonly updated: string;
  readonly runs: number;
  readonly files: number;
  readonly bytes: number;
  readonly sending: boolean;
  readonly deleting: boolean;
};

export type UploadFile = { readonly path: string; readonly size: number; readonly checksum: number | null };

export type UploadsQuery = { readonly workspace?: string; readonly owner?: string };

export function listUploads(query: UploadsQuery, signal?: AbortSignal): Promise<{ readonly items: readonly Upload[] }> {
  return get("uploads", query, signal);
}

export function fetchUpload(id: string): Promise<Upload> {
  return get(`uploads/${part(id)}`);
}

export function changeUpload(
  id: string,
  change: { readonly name?: string; readonly description?: string },
): Promise<Upload> {
  return patch(`uploads/${part(id)}`, change);
}

export type Removed = { readonly files: number; readonly bytes: number; readonly left: readonly string[] };

export function deleteUpload(id: string): Promise<Removed> {
  return remove<Removed>(`uploads/${part(id)}`);
}

export function listFiles(
  id: string,
  after: string,
  limit: number,
): Promise<{ readonly items: readonly UploadFile[]; readonly next_after: string }> {
  return get(`uploads/${part(id)}/files`, { after, limit });
}

export function fileAddress(id: string, path: string): string {
  return addressOf(`uploads/${part(id)}/file`, { path });
}

export type UploadLimits = {
  readonly left_bytes: number | null;
  readonly left_files: number | null;
  readonly scope: string;
};

export function fetchUploadLimits(workspace: string): Promise<UploadLimits> {
  return get(`workspaces/${part(workspace)}/upload_limits`);
}
