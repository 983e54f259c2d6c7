// Formats amounts of bytes for people.

const UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

function unitOf(bytes: number): number {
  return bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
}

function inUnit(bytes: number, unit: number): string {
  const value = bytes / 1000 ** unit;
  return unit === 0 ? String(Math.round(value)) : value < 10 ? value.toFixed(1) : String(Math.round(value));
}

export function formatBytes(bytes: number): string {
  const unit = unitOf(bytes);
  return `${inUnit(bytes, unit)} ${UNITS[unit]}`;
}

/** Formats a part and a whole in the unit of the whole: ["1.2", "4.8 GB"]. */
export function formatShare(part: number, whole: number): readonly [string, string] {
  const unit = unitOf(whole);
  return [inUnit(Math.min(part, whole), unit), `${inUnit(whole, unit)} ${UNITS[unit]}`];
}
