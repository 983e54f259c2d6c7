// Damaged files and remarks, asked for when somebody looks.

import { fetchHealth, type Health, type SickFile } from "../api/client";

export type { Health, SickFile };

export function loadHealth(): Promise<Health> {
  return fetchHealth();
}
