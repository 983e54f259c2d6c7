// Follows all threads of a program in parallel, so that the time is linear in the length of the text.
//
// `test` is an automaton whose states are created when they are first needed, then it is one lookup per character.
// `exec` also returns captured groups and is slower. A pattern that always needs new states would still be slow on
// thousands of names, so the steps per character are limited; beyond the limit it is `spent` and matches nothing.

import type { Program } from "./pattern_program";
import type { Assertion } from "./pattern_tree";

const MAX_STATES = 2000;
/** Steps that every pattern may take, and additional steps for each character: about half a second for 10,000 names. */
const FREE_STEPS = 5_000_000;
const STEPS_PER_CHARACTER = 50;

// classes of the characters before and after a position
const EDGE = 0;
const BREAK = 1;
const WORD = 2;
const OTHER = 3;

function kindOf(code: number): number {
  if (code < 0) return EDGE;
  if (code === 10) return BREAK;
  const word = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
  return word ? WORD : OTHER;
}

function holds(what: Assertion, before: number, after: number): boolean {
  if (what === "textStart") return before === EDGE;
  if (what === "textEnd") return after === EDGE;
  if (what === "lineStart") return before === EDGE || before === BREAK;
  if (what === "lineEnd") return after === EDGE || after === BREAK;
  return ((before === WORD) !== (after === WORD)) === (what === "word");
}

/** Returns the code point at an index, -1 at the end. */
const codeAt = (text: string, at: number): number => text.codePointAt(at) ?? -1;
const unitsOf = (code: number): number => (code > 0xffff ? 2 : 1);

/** Threads between two characters. The next character leads to another state, or to null: the pattern has matched. */
type State = {
  readonly threads: readonly number[];
  readonly before: number;
  readonly ascii: (State | null | undefined)[];
  readonly others: Map<number, State | null>;
};

const made = (threads: readonly number[], before: number): State => ({
  threads,
  before,
  ascii: new Array(128).fill(undefined),
  others: new Map(),
});

type Thread = { readonly at: number; readonly caught: readonly number[] };

/** State: `states` caches the states created so far, `steps` and `characters` count since the creation. */
export class Matcher {
  private readonly states = new Map<string, State>();
  private readonly first: State;
  /** By instruction: the `turn` in which it was followed last. */
  private readonly followed: Int32Array;
  private turn = 0;
  private steps = 0;
  private characters = 0;

  constructor(private readonly program: Program) {
    this.followed = new Int32Array(program.code.length);
    this.first = made([program.start], EDGE);
  }

  /** True after it has taken more steps than allowed. */
  spent = false;

  private stepOn(steps: number): void {
    this.steps += steps;
    if (this.steps > FREE_STEPS + STEPS_PER_CHARACTER * this.characters) this.spent = true;
  }

  test(text: string): boolean {
    this.characters += text.length;
    let state = this.first;
    for (let at = 0; at <= text.length; ) {
      const unit = at < text.length ? text.charCodeAt(at) : -1;
      const code = unit < 128 ? unit : codeAt(text, at);
      const known = code >= 0 && code < 128 ? state.ascii[code] : state.others.get(code);
      const next: State | null = known === undefined ? this.after(state, code) : known;
      if (next === null) return !this.spent;
      state = next;
      at += unitsOf(code);
    }
    return false;
  }

  /** Computes the next state and caches it. */
  private after(state: State, code: number): State | null {
    if (this.spent) return null;
    const next = this.step(state, code);
    if (code >= 0 && code < 128) state.ascii[code] = next;
    else state.others.set(code, next);
    return next;
  }

  private step(state: State, code: number): State | null {
    const ready: number[] = [];
    if (this.close(state, kindOf(code), ready)) return null;
    const threads = new Set<number>();
    for (const at of ready) {
      const instruction = this.program.code[at];
      if (instruction?.op === "character" && code >= 0 && instruction.test(code)) threads.add(instruction.next);
    }
    threads.add(this.program.start);
    return this.state(
      [...threads].sort((a, b) => a - b),
      kindOf(code),
    );
  }

  private state(threads: readonly number[], before: number): State {
    const key = `${before}:${threads.join()}`;
    const known = this.states.get(key);
    if (known !== undefined) return known;
    if (this.states.size >= MAX_STATES) {
      this.states.clear();
      this.first.ascii.fill(undefined);
      this.first.others.clear();
    }
    this.stepOn(threads.length);
    const state = made(threads, before);
    this.states.set(key, state);
    return state;
  }

  /** Adds the threads that wait for a character to `ready`; returns true if a thread has reached the end. */
  private close({ threads, before }: State, after: number, ready: number[]): boolean {
    this.turn++;
    const open = [...threads];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.followed[at] === this.turn) continue;
      this.followed[at] = this.turn;
      this.stepOn(1);
      const instruction = this.program.code[at];
      if (instruction === undefined) continue;
      if (instruction.op === "match") return true;
      if (instruction.op === "character") ready.push(at);
      else if (instruction.op === "split") open.push(instruction.other, instruction.next);
      else if (instruction.op === "save" || holds(instruction.what, before, after)) open.push(instruction.next);
    }
    return false;
  }

  /**
   * Returns start and end of the match and of each captured group, searching from an index; null if there is no match.
   */
  exec(text: string, from = 0): readonly number[] | null {
    this.characters += text.length - from;
    let threads: Thread[] = [];
    let found: readonly number[] | null = null;
    let before = from === 0 ? -1 : text.charCodeAt(from - 1);
    this.turn++;
    for (let at = from; !this.spent; ) {
      const code = codeAt(text, at);
      const sides = [kindOf(before), kindOf(code)] as const;
      if (found === null) this.follow(this.program.start, [at], at, sides, threads);
      const end = at + unitsOf(code);
      const nextSides = [sides[1], kindOf(codeAt(text, end))] as const;
      const next: Thread[] = [];
      this.turn++;
      for (const thread of threads) {
        const instruction = this.program.code[thread.at];
        if (instruction?.op === "match") {
          found = Object.assign([...thread.caught], { 1: at });
          break; // later threads have lower priority
        }
        if (instruction?.op === "character" && code >= 0 && instruction.test(code))
          this.follow(instruction.next, thread.caught, end, nextSides, next);
      }
      if (code < 0 || (found !== null && next.length === 0)) return found;
      [threads, before, at] = [next, code, end];
    }
    return null;
  }

  /** Adds the threads that lead from an instruction to characters, in order of priority. */
  private follow(
    at: number,
    caught: readonly number[],
    place: number,
    sides: readonly [before: number, after: number],
    threads: Thread[],
  ): void {
    const open: Thread[] = [{ at, caught }];
    for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
      if (this.followed[thread.at] === this.turn) continue;
      this.followed[thread.at] = this.turn;
      this.stepOn(1);
      const instruction = this.program.code[thread.at];
      if (instruction === undefined) continue;
      if (instruction.op === "split")
        open.push({ at: instruction.other, caught: thread.caught }, { at: instruction.next, caught: thread.caught });
      else if (instruction.op === "save") {
        const saved = thread.caught.slice();
        saved[instruction.slot] = place;
        open.push({ at: instruction.next, caught: saved });
      } else if (instruction.op === "assert") {
        if (holds(instruction.what, ...sides)) open.push({ at: instruction.next, caught: thread.caught });
      } else threads.push(thread);
    }
  }
}
