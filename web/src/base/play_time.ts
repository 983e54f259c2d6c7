// Formats positions in audio and video as players do: 0:03.2, 12:40, 1:02:40.

/** Adds tenths of a second if the whole is shorter than ten minutes, hundredths if shorter than ten seconds. */
export function formatPlayTime(seconds: number, whole: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const finest = whole < 10 ? 2 : whole < 600 ? 1 : 0;
  const units = Math.round(Math.max(0, seconds) * 10 ** finest);
  const all = units / 10 ** finest;
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  const rest = (all % 60).toFixed(finest).padStart(finest > 0 ? finest + 3 : 2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
