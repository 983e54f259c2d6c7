// Formats numbers for people: four significant digits, scientific if very large or small, durations in hours, minutes
// and seconds. The output has no words of a language unless the caller passes other units than the international letters.

const MINUS = "−";

/** 0.1234, 1234, 1.234e7, 1.5e−5, NaN, ∞. Trailing zeros are left out. */
export function formatNumber(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return scientific(value, digits);
  // rounding may reach the next power of ten: 9.99999 gets no decimals, 999999.9 becomes 1e6
  const rounded = Number(size.toPrecision(digits));
  if (Math.round(size) >= 1e6) return scientific(value, digits);
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)));
  return signed(value, withoutZeros(size.toFixed(Math.min(decimals, 20))));
}

function scientific(value: number, digits: number): string {
  const [mantissa = "", exponent = ""] = Math.abs(value)
    .toExponential(digits - 1)
    .split("e");
  return signed(value, `${withoutZeros(mantissa)}e${exponent.replace("+", "").replace("-", MINUS)}`);
}

const SI = ["", "k", "M", "G", "T", "P", "E"];

/** Formats counts such as steps: 950, 1.5k, 12M, with `digits` significant digits. */
export function formatCount(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return formatNumber(value);
  let size = Math.abs(value);
  if (size < 1) return formatNumber(value, digits);
  let level = 0;
  while (size >= 1000 && level < SI.length - 1) {
    size /= 1000;
    level++;
  }
  let text = Number(size.toPrecision(digits));
  if (text >= 1000 && level < SI.length - 1) {
    text /= 1000;
    level++;
  }
  return signed(value, `${text}${SI[level]}`);
}

/** Units after the numbers of a duration. `padded`: minutes and seconds after a larger unit have two digits. */
export type DurationUnits = Readonly<Record<"us" | "ms" | "s" | "m" | "h" | "d", string>> & {
  readonly padded: boolean;
};

export const UNIT_LETTERS: DurationUnits = { us: "µs", ms: "ms", s: "s", m: "m", h: "h", d: "d", padded: true };

/**
 * Formats seconds: 250ms, 3.2s, 3m 20s, 1h 03m 20s, 2d 04h. For ticks `finest` seconds apart, trailing zeros are left
 * out.
 */
export function formatDuration(seconds: number, finest = 0, units = UNIT_LETTERS): string {
  if (!Number.isFinite(seconds)) return formatNumber(seconds);
  const size = Math.abs(seconds);
  if (size === 0) return "0";
  if (size < 1) return signed(seconds, fraction(size, finest, units));
  if (size < 59.95 && (size < 10 || (finest > 0 && finest < 1))) {
    const decimals = finest > 0 && finest < 1 ? Math.min(3, Math.ceil(-Math.log10(finest))) : 1;
    return signed(seconds, `${withoutZeros(size.toFixed(decimals))}${units.s}`);
  }
  return signed(seconds, clock(Math.round(size), finest, units));
}

function fraction(size: number, finest: number, units: DurationUnits): string {
  if (size >= 1e-3) return `${Number((size * 1e3).toPrecision(finest > 0 ? 4 : 3))}${units.ms}`;
  return `${Number((size * 1e6).toPrecision(3))}${units.us}`;
}

const DAY = 86400;

function clock(whole: number, finest: number, units: DurationUnits): string {
  const days = Math.floor(whole / DAY);
  const hours = Math.floor((whole % DAY) / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const seconds = whole % 60;
  const rest = (value: number): string => (units.padded ? two(value) : String(value));
  const parts: [value: number, text: string][] =
    days >= 1
      ? [
          [days, `${days}${units.d}`],
          [hours, `${rest(hours)}${units.h}`],
        ]
      : hours >= 1
        ? [
            [hours, `${hours}${units.h}`],
            [minutes, `${rest(minutes)}${units.m}`],
            [seconds, `${rest(seconds)}${units.s}`],
          ]
        : minutes >= 1
          ? [
              [minutes, `${minutes}${units.m}`],
              [seconds, `${rest(seconds)}${units.s}`],
            ]
          : [[seconds, `${seconds}${units.s}`]];
  while (finest > 0 && parts.length > 1 && parts.at(-1)?.[0] === 0) parts.pop();
  return parts.map(([, text]) => text).join(" ");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function signed(value: number, text: string): string {
  return value < 0 && Number.parseFloat(text) !== 0 ? MINUS + text : text;
}

function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
