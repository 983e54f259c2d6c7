// Compiles the tree of a pattern to instructions, which all threads follow in parallel (pattern_matcher.ts).

import type { Assertion, CharacterSet, Tree } from "./pattern_tree";
import { Refused } from "./pattern_tree";

/** The largest program that the server allows, as a sum of `weight`. */
const MAX_WEIGHT = 5000;

export type Instruction =
  | { readonly op: "character"; readonly test: (code: number) => boolean; readonly next: number }
  | { readonly op: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly op: "save"; readonly slot: number; readonly next: number }
  /** `next` is tried before `other`. */
  | { readonly op: "split"; next: number; other: number }
  | { readonly op: "match" };

export type Program = { readonly code: readonly Instruction[]; readonly start: number };

/** Throws `Refused` if the program becomes too large. */
export function compileProgram(tree: Tree): Program {
  const writer = new Writer();
  return { start: writer.write(tree, 0), code: writer.code };
}

class Writer {
  readonly code: Instruction[] = [{ op: "match" }];
  private readonly tests = new Map<CharacterSet, (code: number) => boolean>();
  private weight = 0;

  /** Writes the instructions for `tree`, which continue at `next`; returns the index of the first one. */
  write(tree: Tree, next: number): number {
    if (tree.kind === "set") {
      return this.put({ op: "character", test: this.test(tree.set), next }, tree.set.weight);
    }
    if (tree.kind === "assert") return this.put({ op: "assert", what: tree.what, next });
    if (tree.kind === "all") return tree.parts.reduceRight((after, part) => this.write(part, after), next);
    if (tree.kind === "any")
      return tree.parts
        .map((part) => this.write(part, next))
        .reduceRight((other, first) => this.put({ op: "split", next: first, other }));
    if (tree.kind === "group") {
      const end = this.put({ op: "save", slot: 2 * tree.index + 1, next });
      return this.put({ op: "save", slot: 2 * tree.index, next: this.write(tree.body, end) });
    }
    return this.repeat(tree, next);
  }

  private repeat({ body, min, max, lazy }: Extract<Tree, { readonly kind: "repeat" }>, next: number): number {
    let start = next;
    let needed = min;
    if (max === Number.POSITIVE_INFINITY) {
      // a body that can match nothing is repeated as `(?:x+)?`, so that its groups capture something
      if (min > 0) start = this.loop(body, lazy, next, true);
      else if (canBeEmpty(body)) start = this.split(this.loop(body, lazy, next, true), next, lazy);
      else start = this.loop(body, lazy, next, false);
      needed = Math.max(0, min - 1);
    } else for (let i = min; i < max; i++) start = this.split(this.write(body, start), next, lazy);
    for (let i = 0; i < needed; i++) start = this.write(body, start);
    return start;
  }

  private loop(body: Tree, lazy: boolean, next: number, bodyFirst: boolean): number {
    const turn = { op: "split" as const, next, other: next };
    const at = this.put(turn);
    const start = this.write(body, at);
    if (lazy) turn.other = start;
    else turn.next = start;
    return bodyFirst ? start : at;
  }

  private split(first: number, other: number, lazy: boolean): number {
    return this.put(lazy ? { op: "split", next: other, other: first } : { op: "split", next: first, other });
  }

  private put(instruction: Instruction, weight = 1): number {
    this.weight += weight;
    if (this.weight > MAX_WEIGHT) throw new Refused("large");
    return this.code.push(instruction) - 1;
  }

  private test(set: CharacterSet): (code: number) => boolean {
    const known = this.tests.get(set);
    if (known !== undefined) return known;
    const made = remembered(tester(set));
    this.tests.set(set, made);
    return made;
  }
}

function canBeEmpty(tree: Tree): boolean {
  if (tree.kind === "set") return false;
  if (tree.kind === "assert") return true;
  if (tree.kind === "all") return tree.parts.every(canBeEmpty);
  if (tree.kind === "any") return tree.parts.some(canBeEmpty);
  return tree.kind === "group" ? canBeEmpty(tree.body) : tree.min === 0 || canBeEmpty(tree.body);
}

/** Tests one character: here `RegExp` cannot backtrack, and it knows Unicode. */
function tester({ parts, negated, caseless }: CharacterSet): (code: number) => boolean {
  const flags = caseless ? "iu" : "u";
  const tests = parts.map((part) => ({ one: new RegExp(`^[${part.inside}]$`, flags), negated: part.negated }));
  return (code) => {
    const character = String.fromCodePoint(code);
    return tests.some((part) => part.one.test(character) !== part.negated) !== negated;
  };
}

function remembered(test: (code: number) => boolean): (code: number) => boolean {
  const known = new Map<number, boolean>();
  return (code) => {
    let found = known.get(code);
    if (found === undefined) {
      found = test(code);
      known.set(code, found);
    }
    return found;
  };
}
