// A filter people type: a regular expression, as in TensorBoard. Half-typed ones must not break the page.

export type NameFilter = {
  readonly matches: (name: string) => boolean;
  /** False while the text is no regular expression; it is then taken literally. */
  readonly valid: boolean;
};

export function nameFilter(text: string): NameFilter {
  if (text === "") return { matches: () => true, valid: true };
  try {
    const pattern = new RegExp(text, "i");
    return { matches: (name) => pattern.test(name), valid: true };
  } catch {
    const wanted = text.toLowerCase();
    return { matches: (name) => name.toLowerCase().includes(wanted), valid: false };
  }
}
