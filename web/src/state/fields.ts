// How one member of the view is written into the URL and read back. A member that has its default value is not written.

export type Field<T> = {
  readonly fallback: T;
  /** Undefined: the text is not valid for this field, as in a link from another version. */
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
};

export function textField(fallback = ""): Field<string> {
  return { fallback, parse: (text) => text, format: (value) => value };
}

export function flagField(fallback: boolean): Field<boolean> {
  return {
    fallback,
    parse: (text) => (text === "1" || text === "true" ? true : text === "0" || text === "false" ? false : undefined),
    format: (value) => (value ? "1" : "0"),
  };
}

export function numberField(fallback: number, lo: number, hi: number): Field<number> {
  return {
    fallback,
    parse: (text) => {
      const value = Number(text);
      return text.trim() === "" || !Number.isFinite(value) ? undefined : Math.min(hi, Math.max(lo, value));
    },
    format: String,
  };
}

export function choiceField<const T extends string>(choices: readonly T[], fallback: NoInfer<T>): Field<T> {
  return { fallback, parse: (text) => choices.find((choice) => choice === text), format: (value) => value };
}

/** Names separated by commas; commas and tildes in names are escaped. */
export function namesField(): Field<readonly string[]> {
  return {
    fallback: [],
    parse: (text) => (text === "" ? [] : text.split(",").map(unescapeName)),
    format: (names) => names.map(escapeName).join(","),
  };
}

function escapeName(name: string): string {
  // an empty name is escaped, because a list with only an empty name would be read as an empty list
  return name === "" ? "~0" : name.replaceAll("~", "~2").replaceAll(",", "~1");
}

function unescapeName(text: string): string {
  return text === "~0" ? "" : text.replaceAll("~1", ",").replaceAll("~2", "~");
}

/** A JSON value, checked by `check`. */
export function jsonField<T>(fallback: T, check: (value: unknown) => T | undefined): Field<T> {
  return {
    fallback,
    parse: (text) => {
      try {
        return check(JSON.parse(text));
      } catch {
        return undefined;
      }
    },
    format: (value) => JSON.stringify(value),
  };
}

export type Fields<V> = { readonly [K in keyof V]: Field<V[K]> };

export function fallbacks<V>(fields: Fields<V>): V {
  return mapFields(fields, (field) => field.fallback);
}

/** Returns the members that the parameters contain. */
export function parseFields<V>(fields: Fields<V>, parameters: ReadonlyMap<string, string>): Partial<V> {
  const found: Partial<V> = {};
  for (const name in fields) {
    const text = parameters.get(name);
    if (text === undefined) continue;
    const value = fields[name].parse(text);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Returns name and text of each member that differs from its default, in the order of the table. */
export function formatFields<V>(fields: Fields<V>, value: V): readonly (readonly [string, string])[] {
  const written: [string, string][] = [];
  for (const name in fields) {
    const field = fields[name];
    const text = field.format(value[name]);
    if (text !== field.format(field.fallback)) written.push([name, text]);
  }
  return written;
}

function mapFields<V>(fields: Fields<V>, how: <K extends keyof V>(field: Field<V[K]>) => V[K]): V {
  const made: Partial<V> = {};
  for (const name in fields) made[name] = how(fields[name]);
  return made as V;
}

// ---- the text of a URL

// characters that are allowed in a fragment and make it readable without escaping
const LEGIBLE: Readonly<Record<string, string>> = {
  "%2C": ",",
  "%2F": "/",
  "%3A": ":",
  "%40": "@",
  "%3B": ";",
  "%24": "$",
};

/**
 * encodeURIComponent that leaves harmless characters readable and escapes lone surrogates (bytes that were not UTF-8).
 */
export function encode(text: string): string {
  return encodeURIComponent(text.replace(/~x|\p{Surrogate}/gu, escapeSurrogate)).replace(
    /%(?:2C|2F|3A|40|3B|24)/g,
    (code) => LEGIBLE[code] ?? code,
  );
}

function escapeSurrogate(found: string): string {
  return found === "~x" ? "~xx" : `~x${found.charCodeAt(0).toString(16)}`;
}

export function decode(text: string): string {
  let plain = text;
  try {
    plain = decodeURIComponent(text);
  } catch {
    // a truncated or damaged link: read what is readable
  }
  return plain.replace(/~x(x|[0-9a-f]{4})/g, (_, code: string) =>
    code === "x" ? "~x" : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export function parseParameters(query: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of query.split("&")) {
    const cut = part.indexOf("=");
    if (cut > 0) found.set(decode(part.slice(0, cut)), decode(part.slice(cut + 1)));
  }
  return found;
}

export function formatParameters(parameters: Iterable<readonly [string, string]>): string {
  return [...parameters].map(([name, text]) => `${encode(name)}=${encode(text)}`).join("&");
}
