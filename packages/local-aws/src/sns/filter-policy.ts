import { isJsonObject } from "../is-json-object.ts";
import { invalid } from "./refusals.ts";

/** What a filter policy is asked about: all values that a message has under a name; undefined when it has none. */
export type ValuesOf = (path: readonly string[]) => readonly unknown[] | undefined;

type Node = Readonly<Record<string, unknown>>;
/** Whether one pattern takes one value. */
type Pattern = (value: unknown) => boolean;

const MOST_NAMES = 5;
const MOST_COMBINATIONS = 150;
const DEEPEST = 10;
const LARGEST = 262_144;
const COMPARE = new Map<unknown, (one: number, other: number) => boolean>([
  ["=", (one, other) => one === other],
  ["<", (one, other) => one < other],
  ["<=", (one, other) => one <= other],
  [">", (one, other) => one > other],
  [">=", (one, other) => one >= other],
]);

/** Refuses what is no filter policy. */
export function checkFilterPolicy(text: string, nested: boolean): void {
  if (text.length > LARGEST || !isJsonObject(text)) throw invalid("FilterPolicy: failed to parse JSON.");
  const policy = JSON.parse(text) as Node;
  const leaves = leavesOf(policy, [], nested);
  if (Object.keys(policy).length > MOST_NAMES)
    throw invalid("FilterPolicy: Filter policy can not have more than 5 keys");
  const combinations = leaves.reduce((product, { path, patterns }) => product * patterns.length * path.length, 1);
  if (combinations > MOST_COMBINATIONS) {
    throw invalid(`FilterPolicy: Filter policy is too complex`);
  }
  for (const { patterns } of leaves) for (const each of patterns) readPattern(each);
}

/** Whether a message gets through. Every name must have a value that one of its patterns takes. */
export function passesFilter(text: string, valuesOf: ValuesOf): boolean {
  return leavesOf(JSON.parse(text) as Node, [], true).every(({ path, patterns }) => {
    const values = valuesOf(path);
    return patterns.some((each) => {
      const exists = nodeOf(each)?.["exists"];
      if (typeof exists === "boolean") return exists === (values !== undefined);
      const takes = readPattern(each);
      return values?.some(takes) === true;
    });
  });
}

/** The values under a path of a document; of lists any item counts. */
export function valuesInBody(body: unknown, path: readonly string[]): readonly unknown[] | undefined {
  let found: readonly unknown[] = [body];
  for (const name of path) {
    found = found
      .flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [each]))
      .flatMap((each) => {
        const node = nodeOf(each);
        return node && Object.hasOwn(node, name) ? [node[name]] : [];
      });
  }
  return found.length === 0 ? undefined : found.flatMap((each) => (Array.isArray(each) ? (each as unknown[]) : [each]));
}

interface Leaf {
  readonly path: readonly string[];
  readonly patterns: readonly unknown[];
}

function leavesOf(node: Node, path: readonly string[], nested: boolean): readonly Leaf[] {
  if (path.length > DEEPEST) throw invalid("FilterPolicy: Filter policy is nested too deeply");
  return Object.entries(node).flatMap(([name, value]): readonly Leaf[] => {
    if (name === "$or") throw invalid("FilterPolicy: $or is not served here");
    const here = [...path, name];
    if (Array.isArray(value)) {
      if (value.length === 0) throw invalid(`FilterPolicy: Empty arrays are not allowed`);
      return [{ path: here, patterns: value as readonly unknown[] }];
    }
    const inner = nested ? nodeOf(value) : undefined;
    if (inner !== undefined) return leavesOf(inner, here, nested);
    throw invalid(`FilterPolicy: "${name.slice(0, 64)}" must be an object or an array`);
  });
}

function readPattern(given: unknown): Pattern {
  if (given === null || ["string", "number", "boolean"].includes(typeof given)) return (value) => value === given;
  const node = nodeOf(given);
  const [entry, ...more] = Object.entries(node ?? {});
  if (entry === undefined || more.length > 0)
    throw invalid("FilterPolicy: Match value must be String, number, true, false, or null");
  const [kind, wanted] = entry;
  const text = typeof wanted === "string" ? wanted : undefined;
  const onTexts = (test: (value: string, wanted: string) => boolean): Pattern => {
    if (text === undefined) throw invalid(`FilterPolicy: ${kind} match pattern must be a string`);
    return (value) => typeof value === "string" && test(value, text);
  };
  switch (kind) {
    case "prefix":
      return onTexts((value, start) => value.startsWith(start));
    case "suffix":
      return onTexts((value, end) => value.endsWith(end));
    case "equals-ignore-case":
      return onTexts((value, other) => value.toLowerCase() === other.toLowerCase());
    case "exists":
      if (typeof wanted !== "boolean")
        throw invalid("FilterPolicy: exists match pattern must be either true or false.");
      return () => wanted;
    case "numeric":
      return numeric(wanted);
    case "anything-but": {
      const inner = nodeOf(wanted) === undefined ? (Array.isArray(wanted) ? wanted : [wanted]) : [wanted];
      const patterns = inner.map(readPattern);
      return (value) => !patterns.some((takes) => takes(value));
    }
    default:
      throw invalid(`FilterPolicy: Unrecognized match type ${kind.slice(0, 64)}`);
  }
}

function numeric(wanted: unknown): Pattern {
  const parts: readonly unknown[] = Array.isArray(wanted) ? wanted : [];
  const tests = parts.flatMap((part, i) => {
    if (i % 2 === 1) return [];
    const compare = COMPARE.get(part);
    const bound = parts[i + 1];
    if (compare === undefined || typeof bound !== "number") throw invalid("FilterPolicy: Value of numeric is invalid");
    return [(value: number) => compare(value, bound)];
  });
  if (tests.length === 0 || tests.length > 2)
    throw invalid("FilterPolicy: Value of numeric must be an array of comparisons");
  return (value) => typeof value === "number" && tests.every((holds) => holds(value));
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : undefined;
}
