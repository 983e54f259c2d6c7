// Damaged files and warnings, loaded when the user opens them.

import { fetchHealth, type Health, type SickFile } from "../api/client";

export type { Health, SickFile };

export function loadHealth(): Promise<Health> {
  return fetchHealth();
}
