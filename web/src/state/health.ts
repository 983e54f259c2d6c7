// Damaged files and notices, loaded when the user opens their dialog.

import { fetchHealth, type Health, type Place, type SickFile } from "../api/client";

export type { Health, Place, SickFile };

export function loadHealth(): Promise<Health> {
  return fetchHealth();
}
