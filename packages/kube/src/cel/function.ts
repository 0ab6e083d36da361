import { dynType, listType, mapType, opaqueType } from "./types.ts";
import type { CelType, SimpleType } from "./types.ts";
import type { CelValue } from "./value.ts";

/** One form of a function: its types and what it does. Arguments include the receiver of a method. */
export interface Overload {
  readonly id: string;
  readonly method: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  /** Names of the type parameters that occur in the types. */
  readonly generics: readonly string[];
  readonly run: Implementation;
}

/** Called with values that match the overload's parameters. Throws CelError. */
export type Implementation = (...args: CelValue[]) => CelValue;

/** A function name and its overloads, in the order in which they are tried. */
export type FunctionTable = ReadonlyMap<string, readonly Overload[]>;

/** A part of the function table, as a library declares it. */
export type Library = readonly (readonly [name: string, overloads: readonly Overload[]])[];

/** Declares a function called as `f(a, b)`. The signature reads `string, int -> bool`; capital letters are type parameters. */
export function fn(id: string, signature: string, run: (...args: never[]) => CelValue): Overload {
  return declare(id, signature, false, run);
}

/** Declares a method called as `a.f(b)`; the first type of the signature is the receiver's. */
export function method(id: string, signature: string, run: (...args: never[]) => CelValue): Overload {
  return declare(id, signature, true, run);
}

function declare(id: string, signature: string, isMethod: boolean, run: (...args: never[]) => CelValue): Overload {
  const [before = "", after = ""] = signature.split("->");
  const generics = new Set<string>();
  const params = before.trim() === "" ? [] : parseTypes(before, generics);
  const [result] = parseTypes(after, generics);
  if (result === undefined) throw new Error(`no result type in ${signature}`);
  return { id, method: isMethod, params, result, generics: [...generics], run: run as Implementation };
}

/** Joins libraries into one table. A name that several libraries declare keeps the overloads of all. */
export function functionTable(...libraries: readonly Library[]): FunctionTable {
  const table = new Map<string, Overload[]>();
  for (const [name, overloads] of libraries.flat()) {
    const known = table.get(name);
    if (known === undefined) table.set(name, [...overloads]);
    else known.push(...overloads);
  }
  return table;
}

const simple = new Set(["dyn", "null", "bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration"]);

function parseTypes(text: string, generics: Set<string>): CelType[] {
  const tokens = text.match(/[A-Za-z_.]+|[(),]/g) ?? [];
  let at = 0;
  const sequence = (): CelType[] => {
    const types = [one()];
    while (tokens[at] === ",") {
      at++;
      types.push(one());
    }
    return types;
  };
  const one = (): CelType => {
    const name = tokens[at++] ?? "dyn";
    let args: CelType[] = [];
    if (tokens[at] === "(") {
      at++;
      args = sequence();
      at++;
    }
    return named(name, args, generics);
  };
  return sequence();
}

function named(name: string, args: readonly CelType[], generics: Set<string>): CelType {
  if (simple.has(name)) return { kind: name } as SimpleType;
  if (name.length === 1) {
    generics.add(name);
    return { kind: "param", name };
  }
  const [first = dynType, second = dynType] = args;
  if (name === "list") return listType(first);
  if (name === "map") return mapType(first, second);
  if (name === "type") return { kind: "type", of: first };
  return opaqueType(name, ...args);
}
