import { dynType, listType, mapType, opaqueType, sameType, typeArguments } from "./types.ts";
import type { CelType } from "./types.ts";

/**
 * Finds types for the type parameters of overloads while an expression is checked. A failed attempt leaves no trace:
 * bindings are kept only when the whole question was answered with yes.
 */
export class TypeSolver {
  readonly #bindings = new Map<string, CelType>();
  /** What each binding of the current attempt replaced, to be put back if the attempt fails. */
  readonly #undo: (readonly [name: string, before: CelType | undefined])[] = [];
  #fresh = 0;

  /** A type parameter that no other part of the expression knows. */
  freshParameter(): CelType {
    return { kind: "param", name: `_var${this.#fresh++}` };
  }

  assignable(from: CelType, to: CelType): boolean {
    return this.allAssignable([from], [to]);
  }

  allAssignable(from: readonly CelType[], to: readonly CelType[]): boolean {
    if (from.length !== to.length) return false;
    this.#undo.length = 0;
    if (this.#listsAgree(from, to)) return true;
    for (const [name, before] of this.#undo.reverse()) {
      if (before === undefined) this.#bindings.delete(name);
      else this.#bindings.set(name, before);
    }
    return false;
  }

  #set(name: string, type: CelType): void {
    this.#undo.push([name, this.#bindings.get(name)]);
    this.#bindings.set(name, type);
  }

  /** The type with all bound parameters replaced. Unbound ones become dyn when `final`. */
  substitute(type: CelType, final = false): CelType {
    if (type.kind === "param") {
      const bound = this.#bindings.get(type.name);
      if (bound !== undefined) return this.substitute(bound, final);
      return final ? dynType : type;
    }
    const args = typeArguments(type);
    if (args.length === 0) return type;
    const replaced = args.map((arg) => this.substitute(arg, final));
    return replaced.every((arg, i) => arg === args[i]) ? type : withArguments(type, replaced);
  }

  /** A copy of an overload's types in which each named parameter is a fresh one. */
  instantiate(types: readonly CelType[], parameters: readonly string[]): CelType[] {
    if (parameters.length === 0) return [...types];
    const fresh = new Map(parameters.map((name) => [name, this.freshParameter()]));
    const rename = (type: CelType): CelType => {
      if (type.kind === "param") return fresh.get(type.name) ?? type;
      const args = typeArguments(type);
      return args.length === 0 ? type : withArguments(type, args.map(rename));
    };
    return types.map(rename);
  }

  #listsAgree(from: readonly CelType[], to: readonly CelType[]): boolean {
    return from.length === to.length && from.every((type, i) => this.#agrees(type, to[i]!));
  }

  #agrees(a: CelType, b: CelType): boolean {
    if (b.kind === "param") {
      const answer = this.#bind(a, b);
      if (answer !== "unbound") return answer === "yes";
    }
    if (a.kind === "param") return this.#bind(b, a) === "yes";
    if (isWild(a) || isWild(b)) return true;
    if (a.kind === "null") return b.kind === "null" || isNullable(b);
    if (b.kind === "null") return isNullable(a);
    if (a.kind !== b.kind) return false;
    switch (a.kind) {
      case "object":
        return b.kind === "object" && a.name === b.name;
      case "opaque":
        return b.kind === "opaque" && a.name === b.name && this.#listsAgree(a.params, b.params);
      case "list":
      case "map":
        return this.#listsAgree(typeArguments(a), typeArguments(b));
      default:
        return true;
    }
  }

  /** Whether `type` may stand for `parameter`; "unbound" when the parameter is free but occurs in the type. */
  #bind(type: CelType, parameter: CelType & { kind: "param" }): "yes" | "no" | "unbound" {
    if (sameType(type, parameter)) return "yes";
    const bound = this.#bindings.get(parameter.name);
    if (bound !== undefined) {
      if (sameType(type, bound)) return "yes";
      if (!this.#agrees(type, bound)) return "no";
      const general = mostGeneral(type, bound);
      if (!this.#occursIn(parameter, general)) this.#set(parameter.name, general);
      return "yes";
    }
    if (this.#occursIn(parameter, type)) return "unbound";
    this.#set(parameter.name, type);
    return "yes";
  }

  #occursIn(parameter: CelType & { kind: "param" }, type: CelType): boolean {
    if (sameType(parameter, type)) return true;
    if (type.kind === "param") {
      const bound = this.#bindings.get(type.name);
      return bound !== undefined && this.#occursIn(parameter, bound);
    }
    return typeArguments(type).some((arg) => this.#occursIn(parameter, arg));
  }
}

/** The wider of two types that are known to agree. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrWider(a, b) ? a : b;
}

function isEqualOrWider(a: CelType, b: CelType): boolean {
  if (a.kind === "dyn" || a.kind === "param") return true;
  if (b.kind === "dyn" || b.kind === "param") return false;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case "opaque":
    case "list":
    case "map": {
      if ("name" in a && "name" in b && a.name !== b.name) return false;
      const right = typeArguments(b);
      const left = typeArguments(a);
      return left.length === right.length && left.every((type, i) => isEqualOrWider(type, right[i]!));
    }
    case "type":
      return true;
    default:
      return sameType(a, b);
  }
}

function isWild(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "error";
}

/** Kinds that a null literal may be compared with or assigned to. */
function isNullable(type: CelType): boolean {
  return type.kind === "opaque" || type.kind === "object" || type.kind === "duration" || type.kind === "timestamp";
}

function withArguments(type: CelType, args: readonly CelType[]): CelType {
  switch (type.kind) {
    case "list":
      return listType(args[0]!);
    case "map":
      return mapType(args[0]!, args[1]!);
    case "opaque":
      return opaqueType(type.name, ...args);
    case "type":
      return { kind: "type", of: args[0]! };
    default:
      return type;
  }
}
