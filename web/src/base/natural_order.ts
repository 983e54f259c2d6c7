// Order names as people count: run_2 before run_10.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "variant" });

export function compareNatural(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
