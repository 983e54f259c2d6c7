// Damaged files and notices, loaded when the user opens their dialog.

import { fetchHealth, type Health, type SickFile } from "../api/client";

export type { Health, SickFile };

export function loadHealth(): Promise<Health> {
  return fetchHealth();
}
