// The lines of a console, from bytes that come in pieces: UTF-8 that a piece cuts, lines without an end yet, progress
// bars that write over their own line. Bounded: of a long console the last lines are kept.

import { PLAIN, plainText, type Style, styleAfter } from "./ansi";

// 400,000 lines of 18 pixels are less than what browsers can lay out
const MOST_LINES = 400_000;
// a line without an end is cut, so that a program that writes none cannot fill the memory
const LONGEST_LINE = 20_000;
// lines are dropped in blocks: dropping one at a time would move all others each time
const DROPPED_AT_ONCE = 20_000;

export type Line = { readonly text: string; readonly style: Style };

export class ConsoleLines {
  /** Without the one that has no end yet. */
  #lines: string[] = [];
  /** The style in which each begins. */
  #styles: Style[] = [];
  #open = "";
  #style: Style = PLAIN;
  #decoder = new TextDecoder();
  /** Lines before the first one that is kept. */
  #dropped = 0;

  get count(): number {
    return this.#lines.length + (this.#open === "" ? 0 : 1);
  }

  get dropped(): number {
    return this.#dropped;
  }

  at(index: number): Line | undefined {
    if (index === this.#lines.length && this.#open !== "") return { text: overwritten(this.#open), style: this.#style };
    const text = this.#lines[index];
    return text === undefined ? undefined : { text, style: this.#styles[index] ?? PLAIN };
  }

  add(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    const parts = (this.#open + text).split("\n");
    this.#open = parts.pop() ?? "";
    for (const part of parts) this.#push(part);
    // only what follows the last \r will be seen; the rest of a progress bar is forgotten
    const last = this.#open.lastIndexOf("\r");
    if (last > LONGEST_LINE) this.#open = this.#open.slice(last);
    while (this.#open.length > 2 * LONGEST_LINE) {
      this.#push(this.#open.slice(0, LONGEST_LINE));
      this.#open = this.#open.slice(LONGEST_LINE);
    }
    if (this.#lines.length >= MOST_LINES + DROPPED_AT_ONCE) this.#drop(this.#lines.length - MOST_LINES);
  }

  /** Indexes of lines that contain a text; upper and lower case are the same. */
  find(text: string): readonly number[] {
    const wanted = text.toLowerCase();
    if (wanted === "") return [];
    const found: number[] = [];
    for (let index = 0; index < this.count; index++) {
      const line = this.at(index)?.text ?? "";
      // most lines have no escape sequence that could stand between two letters
      if (!line.toLowerCase().includes(wanted) && !line.includes("\x1b")) continue;
      if (plainText(line).toLowerCase().includes(wanted)) found.push(index);
    }
    return found;
  }

  /** Everything that is kept, without styles. */
  text(): string {
    const lines = Array.from({ length: this.count }, (_, index) => plainText(this.at(index)?.text ?? ""));
    return lines.join("\n");
  }

  #push(raw: string): void {
    const line = overwritten(raw);
    this.#lines.push(line);
    this.#styles.push(this.#style);
    this.#style = styleAfter(line, this.#style);
  }

  #drop(count: number): void {
    this.#lines = this.#lines.slice(count);
    this.#styles = this.#styles.slice(count);
    this.#dropped += count;
  }
}

/** A carriage return begins the line again: what was written last is seen. Windows' \r\n is a plain end. */
function overwritten(line: string): string {
  if (!line.includes("\r")) return line;
  const parts = line.split("\r").filter((part) => part !== "");
  return parts.at(-1) ?? "";
}
