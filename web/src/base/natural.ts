// Natural order of names, the same as on the server: `run2` before `run10`, `lr=0.01` before `lr=0.1`, components of a
// path before longer names. It is used to insert a new name into a list that the server sorted.

// three or more numbers separated by dots (a version), a number with an exponent, or a plain number
const NUMBER =
  /([0-9]+(?:\.[0-9]+){2,})|(?<![0-9A-Za-z])([0-9]+(?:\.[0-9]+)?[eE][-+]?[0-9]{1,3})(?![0-9A-Za-z])|[0-9]+(?:\.[0-9]+)?/g;

/** Returns a key: comparing keys as strings gives the natural order of the names. */
export function naturalKey(name: string): string {
  const numbered = name.replace(NUMBER, (text: string, version?: string, scientific?: string) => {
    if (version !== undefined)
      return version
        .split(".")
        .map((part) => sortable(part, 0))
        .join("/");
    if (scientific === undefined) return sortable(text, 0);
    const [mantissa = "", exponent = ""] = scientific.split(/[eE]/);
    return sortable(mantissa, Number(exponent));
  });
  return `${numbered.replaceAll("/", "\x01").replace(/[_\-. ]/g, "\x02")}\0${name}`;
}

/** Returns "0" to sort before letters, then the magnitude as one character, then the digits. */
function sortable(number: string, exponent: number): string {
  const [whole = "", fraction = ""] = number.split(".");
  const digits = whole + fraction;
  const significant = digits.replace(/^0+/, "");
  const magnitude = significant === "" ? -0x4000 : whole.length - (digits.length - significant.length) + exponent;
  const clipped = Math.max(-0x4000, Math.min(magnitude, 0x4000));
  return `0${String.fromCharCode(0x5000 + clipped)}${significant.replace(/0+$/, "")}`;
}

/** Compares by code points, as Python does; JavaScript's own comparison uses UTF-16 units. */
export function compareNatural(one: string, other: string): number {
  return compareCodePoints(naturalKey(one), naturalKey(other));
}

function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) {
    const [a, b] = [one.charCodeAt(i), other.charCodeAt(i)];
    if (a !== b) return lifted(a) - lifted(b);
  }
  return one.length - other.length;
}

/** Moves surrogates (characters beyond U+FFFF) above all other units. */
function lifted(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Returns the index at which to insert a name into a sorted list, not before `from`. */
export function naturalPlace(sorted: readonly string[], name: string, from = 0): number {
  let lo = from;
  let hi = sorted.length;
  while (lo < hi) {
    const middle = (lo + hi) >>> 1;
    if (compareNatural(sorted[middle] ?? "", name) < 0) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}
