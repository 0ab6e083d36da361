import type { Alias, Document, LineCounter, Node, Scalar, YAMLMap } from "yaml";
import { quote } from "../quote.ts";
import { setOwn } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";
import { BodySyntaxError, MAX_DEPTH } from "./json-syntax.ts";
import { parseJson } from "./strict-parse.ts";
import { decodeUtf8 } from "./utf8.ts";
import { yamlLibrary } from "./yaml-library.ts";
import { resolvePlainScalar, resolveTaggedScalar } from "./yaml-scalar.ts";

/** A decoded YAML body. */
export interface ParsedYaml {
  readonly value: Json;
  /** Keys that stand twice in one mapping: `line 6: key "a" already set in map`. The last one won. */
  readonly duplicates: readonly string[];
}

const TOO_DEEP = "exceeded max depth of 10000";
/** Parsing takes seconds for each megabyte, and the process does nothing else meanwhile. JSON is a hundred times faster. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the first document of a YAML body as Kubernetes does: YAML 1.1 scalars, merge keys, aliases up to a bound, and keys
 * that are made strings. Throws {@link BodySyntaxError}. JSON, which is what kubectl sends, takes a fast path.
 */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  if (bytes[0] === 0x7b) {
    try {
      const json = parseJson(bytes);
      if (json.duplicates.length === 0) return json;
    } catch (error) {
      if (!(error instanceof BodySyntaxError)) throw error;
    }
  }
  if (bytes.length > MAX_BYTES) throw new BodySyntaxError("yaml: document is larger than 1 MiB; send it as JSON");
  const { LineCounter } = yamlLibrary();
  const lines = new LineCounter();
  try {
    const document = firstDocument(decodeUtf8(bytes), lines);
    return document === undefined ? { value: null, duplicates: [] } : new Conversion(document, lines).run();
  } catch (error) {
    if (error instanceof RangeError) throw new BodySyntaxError(`yaml: ${TOO_DEEP}`);
    throw error;
  }
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const { Composer, Parser } = yamlLibrary();
  const composer = new Composer({
    version: "1.1",
    schema: "failsafe",
    merge: false,
    uniqueKeys: false,
    logLevel: "silent",
    lineCounter: lines,
  });
  for (const document of composer.compose(new Parser(lines.addNewLine).parse(text))) {
    const { yaml } = document.directives;
    if (yaml.explicit && yaml.version !== "1.1") throw new BodySyntaxError("yaml: found incompatible YAML document");
    const [error] = document.errors;
    if (error) {
      const line = lines.linePos(error.pos[0]).line;
      throw new BodySyntaxError(`yaml: ${line > 1 ? `line ${line}: ` : ""}${reason(error.code, error.message)}`);
    }
    return document;
  }
  return undefined;
}

/** What Go's parser says where that is known; otherwise the first line of what ours says. */
function reason(code: string, message: string): string {
  switch (code) {
    case "MISSING_CHAR":
      return message.includes("quote") ? "found unexpected end of stream" : "did not find expected node content";
    case "TAB_AS_INDENT":
    case "BAD_SCALAR_START":
      return "found character that cannot start any token";
    case "BLOCK_AS_IMPLICIT_KEY":
      return "mapping values are not allowed in this context";
    default:
      if (message.startsWith("Maximum call stack")) return TOO_DEEP;
      return message.split(/ at line |\n/)[0]!;
  }
}

/** One document on its way to JSON, with the counts that bound alias expansion. */
class Conversion {
  readonly #yaml = yamlLibrary();
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  readonly #duplicates: string[] = [];
  #decoded = 0;
  #fromAliases = 0;
  #aliasDepth = 0;

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  run(): ParsedYaml {
    return { value: this.#convert(this.#document.contents, 0), duplicates: this.#duplicates };
  }

  #convert(node: unknown, depth: number): Json {
    if (depth > MAX_DEPTH) throw new BodySyntaxError(`yaml: ${TOO_DEEP}`);
    this.#count();
    if (this.#yaml.isNode(node) && !this.#yaml.isAlias(node) && node.anchor !== undefined)
      this.#anchors.set(node.anchor, node);
    if (this.#yaml.isScalar(node)) return scalarValue(node);
    if (this.#yaml.isMap(node)) return this.#mapping(node, depth);
    if (this.#yaml.isSeq(node)) return node.items.map((item) => this.#convert(item, depth + 1));
    if (this.#yaml.isAlias(node)) {
      const target = this.#target(node);
      if (target === undefined) throw new BodySyntaxError(`yaml: unknown anchor '${node.source}' referenced`);
      this.#aliasDepth++;
      const value = this.#convert(target, depth + 1);
      this.#aliasDepth--;
      return value;
    }
    return null;
  }

  #target(alias: Alias): Node | undefined {
    return this.#anchors.get(alias.source);
  }

  #mapping(map: YAMLMap, depth: number): JsonObject {
    const result: JsonObject = {};
    const own = new Set<string>();
    const merged: unknown[] = [];
    for (const { key, value } of map.items) {
      if (this.#yaml.isScalar(key) && key.type === "PLAIN" && key.source === "<<") {
        merged.push(value);
        continue;
      }
      const [identity, name] = this.#key(key, depth);
      if (own.has(identity)) this.#duplicates.push(`line ${this.#lineOf(key)}: key ${quote(name)} already set in map`);
      own.add(identity);
      setOwn(result, name, this.#convert(value, depth + 1));
    }
    for (const source of merged) this.#mergeInto(result, source, depth);
    return result;
  }

  /** Keys that are there already are not overwritten. Of several sources the first wins. */
  #mergeInto(result: JsonObject, source: unknown, depth: number): void {
    const node = this.#yaml.isAlias(source) ? this.#target(source) : source;
    const sources: readonly unknown[] = this.#yaml.isSeq(node) ? node.items : [source];
    for (const item of sources) {
      if (!this.#yaml.isMap(this.#yaml.isAlias(item) ? this.#target(item) : item)) {
        throw new BodySyntaxError("yaml: map merge requires map or sequence of maps as the value");
      }
      const value = this.#convert(item, depth + 1) as JsonObject;
      for (const key of Object.keys(value)) if (!Object.hasOwn(result, key)) setOwn(result, key, value[key]!);
    }
  }

  /** What makes a key distinct (`1` and `"1"` are) and the text that it becomes. */
  #key(node: unknown, depth: number): [identity: string, name: string] {
    const value = this.#convert(node, depth + 1);
    if (value === null) throw new BodySyntaxError("unsupported map key of type: %!s(<nil>), key: <nil>");
    if (typeof value === "object") throw new BodySyntaxError("yaml: invalid map key");
    return [`${typeof value} ${value}`, String(value)];
  }

  #lineOf(node: unknown): number {
    const start = this.#yaml.isScalar(node) ? (node.range?.[0] ?? 0) : 0;
    return this.#lines.linePos(start).line;
  }

  /** Small documents may consist of aliases almost entirely, large ones hardly. */
  #count(): void {
    this.#decoded++;
    if (this.#aliasDepth > 0) this.#fromAliases++;
    if (this.#fromAliases <= 100 || this.#decoded <= 1000) return;
    const share = Math.min(1, Math.max(0, (this.#decoded - 400_000) / 3_600_000));
    if (this.#fromAliases / this.#decoded > 0.99 - 0.89 * share) {
      throw new BodySyntaxError("yaml: document contains excessive aliasing");
    }
  }
}

function scalarValue(node: Scalar): Json {
  const text = (node.source ?? String(node.value ?? "")).toWellFormed();
  if (node.tag !== undefined && node.tag !== "!") return resolveTaggedScalar(node.tag, text);
  return node.type === "PLAIN" ? resolvePlainScalar(text) : text;
}
