// Long names cut in the middle: what tells runs apart is mostly at their end.

export function shorten(name: string, most: number): string {
  const letters = [...name];
  if (letters.length <= most) return name;
  const end = Math.ceil((most - 1) * 0.6);
  return `${letters.slice(0, most - 1 - end).join("")}…${letters.slice(-end).join("")}`;
}
