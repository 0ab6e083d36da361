import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface GoField {
  /** Empty for an embedded field. */
  readonly name: string;
  readonly type: string;
  /** The `+default=` marker above the field, as written. */
  readonly marker: string | undefined;
  readonly tag: (key: string) => string | undefined;
}

/** A named type: a struct with fields, or another name for a type. */
export interface GoType {
  readonly name: string;
  readonly source: GoPackage;
  readonly file: GoFile;
  readonly fields: readonly GoField[] | undefined;
  readonly underlying: string;
  /** `+enum`: the constants of this type are its only values. */
  readonly enumerated: boolean;
  /** `+protobuf.nullable`: a slice that travels as a message of its own. */
  readonly wrapped: boolean;
}

interface GoFile {
  /** Import path by the name that the file uses. */
  readonly imports: ReadonlyMap<string, string>;
}

export interface GoPackage {
  readonly path: string;
  readonly types: ReadonlyMap<string, GoType>;
  readonly constants: ReadonlyMap<string, GoConstant>;
}

/** A string constant of a named type: its text, or the constant of another package (`v1.IPv4Protocol`) that it equals. */
export interface GoConstant {
  readonly type: string;
  readonly value: { readonly text: string } | { readonly path: string; readonly name: string };
}

const modules: readonly string[] = ["k8s.io/api", "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"];

/** Reads the type declarations of Kubernetes' API packages from a Go module cache. */
export class GoSources {
  readonly #cache: string;
  readonly #version: string;
  readonly #packages = new Map<string, GoPackage | undefined>();

  constructor(moduleCache: string, version: string) {
    this.#cache = moduleCache;
    this.#version = version;
  }

  /** The modules that are not in the cache. */
  missing(): string[] {
    return modules.filter((m) => !existsSync(this.#directory(m))).map((m) => `${m}@${this.#version}`);
  }

  /** The text of a constant, wherever it is declared. */
  constant({ value }: GoConstant): string {
    if ("text" in value) return value.text;
    const other = this.package(value.path)?.constants.get(value.name);
    if (!other) throw new Error(`constant ${value.path}.${value.name} not found`);
    return this.constant(other);
  }

  package(path: string): GoPackage | undefined {
    if (!this.#packages.has(path)) this.#packages.set(path, this.#read(path));
    return this.#packages.get(path);
  }

  #directory(module: string): string {
    return join(this.#cache, `${module}@${this.#version}`);
  }

  #read(path: string): GoPackage | undefined {
    const module = modules.find((m) => path === m || path.startsWith(`${m}/`));
    if (module === undefined) return undefined;
    const directory = join(this.#directory(module), path.slice(module.length));
    if (!existsSync(directory)) return undefined;
    const types = new Map<string, GoType>();
    const constants = new Map<string, GoConstant>();
    const source: GoPackage = { path, types, constants };
    for (const name of readdirSync(directory).sort()) {
      if (!name.endsWith(".go") || name.endsWith("_test.go") || /generated|zz_/.test(name)) continue;
      readFile(readFileSync(join(directory, name), "utf8"), source, types, constants);
    }
    return source;
  }
}

function readFile(
  text: string,
  source: GoPackage,
  types: Map<string, GoType>,
  constants: Map<string, GoConstant>,
): void {
  const file: GoFile = { imports: readImports(text) };
  const lines = text.split("\n");
  let comments: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!.trim();
    if (line.startsWith("//")) {
      comments.push(line);
      continue;
    }
    readConstant(line, file, constants);
    const declared = /^type (\w+) (.+?)\s*(?:\/\/.*)?$/.exec(line);
    if (declared) {
      const [, name, definition] = declared;
      let fields: readonly GoField[] | undefined = definition === "struct{}" ? [] : undefined;
      if (definition === "struct {") {
        const end = lines.indexOf("}", i);
        fields = readFields(lines.slice(i + 1, end));
        i = end;
      }
      const marked = (marker: string): boolean => comments.some((c) => c.replace(/^\/\/\s*/, "").startsWith(marker));
      types.set(name!, {
        name: name!,
        source,
        file,
        fields,
        underlying: definition!,
        enumerated: marked("+enum"),
        wrapped: marked("+protobuf.nullable"),
      });
    }
    if (line !== "") comments = [];
  }
}

/** Reads `Name Type = "text"`, `Name = Type("text")` and `Name = Type(package.Name)`. */
function readConstant(line: string, file: GoFile, constants: Map<string, GoConstant>): void {
  const plain = /^(?:const\s+)?(\w+)\s+(\w+)\s*=\s*"([^"]*)"/.exec(line);
  const converted = /^(?:const\s+)?(\w+)\s*=\s*(\w+)\("([^"]*)"\)/.exec(line);
  const [, name, type, text] = plain ?? converted ?? [];
  if (name !== undefined && type !== undefined && text !== undefined) constants.set(name, { type, value: { text } });
  const [, alias, aliasType, from, target] = /^(\w+)\s*=\s*(\w+)\((\w+)\.(\w+)\)/.exec(line) ?? [];
  const path = file.imports.get(from ?? "");
  if (path !== undefined) constants.set(alias!, { type: aliasType!, value: { path, name: target! } });
}

function readImports(text: string): Map<string, string> {
  const imports = new Map<string, string>();
  for (const [, alias, path] of text.matchAll(/^(?:import\s+|\t)(\w+\s+)?"([^"\s]+)"$/gm)) {
    imports.set(alias?.trim() ?? path!.slice(path!.lastIndexOf("/") + 1), path!);
  }
  return imports;
}

function readFields(lines: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let marker: string | undefined;
  for (const raw of lines) {
    const line = raw.trim();
    const comment = /^\/\/\s*\+default=(.*)$/.exec(line);
    if (comment) marker = comment[1];
    if (line === "" || line.startsWith("//")) continue;
    const found = /^(?:(\w+)\s+)?([\w.*[\]]+)\s*(?:`([^`]*)`)?/.exec(line);
    if (found) {
      const tags = found[3] ?? "";
      fields.push({
        name: found[1] ?? "",
        type: found[2]!,
        marker,
        tag: (key) => new RegExp(`(?:^|\\s)${key}:"([^"]*)"`).exec(tags)?.[1],
      });
    }
    marker = undefined;
  }
  return fields;
}
