import { getOwn } from "@gatewright/kube";
import { isRecord } from "../transform/json-text.ts";
import { pointerTo } from "./json-pointer.ts";
import { OpenapiDocumentError } from "./openapi-document.ts";
import type { Located, OpenapiDocument } from "./openapi-document.ts";

/** A path of a document that a request is about, and what `{name}` stands for, decoded. */
export interface FoundPath {
  readonly item: Located;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One element of a path: text, with perhaps one `{name}` in it. */
interface Element {
  readonly before: string;
  readonly name: string | undefined;
  readonly after: string;
}

interface Template {
  readonly item: Located;
  readonly elements: readonly Element[];
}

/** Finds the path of a document that a request is about. Text wins over parameters, from left to right. */
export class OpenapiPaths {
  readonly #byLength = new Map<number, Template[]>();
  readonly #bases: readonly string[];

  /** Throws OpenapiDocumentError when a path cannot be read. */
  constructor(document: OpenapiDocument) {
    const paths = getOwn(document.root, "paths");
    for (const path of isRecord(paths) ? Object.keys(paths) : []) {
      const item = document.at(pointerTo(["paths", path]));
      if (item === undefined || !path.startsWith("/")) continue;
      const elements = path
        .slice(1)
        .split("/")
        .map((text) => elementOf(text, path));
      const same = this.#byLength.get(elements.length) ?? [];
      same.push({ item, elements });
      this.#byLength.set(elements.length, same);
    }
    for (const templates of this.#byLength.values()) templates.sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
    this.#bases = basesOf(document);
  }

  find(path: string): FoundPath | undefined {
    for (const base of this.#bases) {
      if (base !== "" && path !== base && !path.startsWith(`${base}/`)) continue;
      const found = this.#match((path.slice(base.length) || "/").slice(1).split("/"));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #match(given: readonly string[]): FoundPath | undefined {
    for (const { item, elements } of this.#byLength.get(given.length) ?? []) {
      const parameters = new Map<string, string>();
      const fits = elements.every(({ before, name, after }, at) => {
        const text = given[at] ?? "";
        if (name === undefined) return text === before;
        if (text.length <= before.length + after.length || !text.startsWith(before) || !text.endsWith(after))
          return false;
        parameters.set(name, decoded(text.slice(before.length, text.length - after.length)));
        return true;
      });
      if (fits) return { item, parameters };
    }
    return undefined;
  }
}

function elementOf(text: string, path: string): Element {
  const found = /^([^{}]*)(?:\{([^{}]+)\}([^{}]*))?$/.exec(text);
  if (found === null) throw new OpenapiDocumentError(`${path}: an element can have one parameter`);
  const [, before = "", name, after = ""] = found;
  return { before, name, after };
}

/** Text sorts before parameters. */
function rank({ elements }: Template): string {
  return elements.map(({ name }) => (name === undefined ? "0" : "1")).join("");
}

/** What stands before the paths of a document: the paths of its servers, longest first, and nothing. */
function basesOf(document: OpenapiDocument): string[] {
  const bases = new Set([""]);
  const servers = getOwn(document.root, "servers");
  for (const server of Array.isArray(servers) ? servers : []) {
    const url = isRecord(server) ? getOwn(server, "url") : undefined;
    if (typeof url !== "string" || url.includes("{")) continue;
    bases.add(
      url
        .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "")
        .replace(/[?#].*$/, "")
        .replace(/\/+$/, ""),
    );
  }
  return [...bases].sort((one, other) => other.length - one.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
