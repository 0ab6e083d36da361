import type { CheckedExpr, ResolvedCall } from "./checker.ts";
import type { Implementation, Overload } from "./function.ts";
import type { CelType } from "./types.ts";
import { CelError, CelUint, isList, isMap, kindOf, noSuchOverload, typeNameOf } from "./value.ts";
import type { CelValue } from "./value.ts";

/** Functions whose complaint about wrong arguments does not name them. */
const silent = /^[^a-z]|^(?:startsWith|endsWith|contains|matches)$/;

/** The implementation of a call. Where static types leave room, the overload is chosen by the values. */
export function dispatch(checked: CheckedExpr, call: ResolvedCall): Implementation {
  const [only] = call.overloads;
  const uncertain = call.args.map((arg) => isUncertain(checked.typeOf(arg)));
  if (only !== undefined && call.overloads.length === 1) {
    const needed = only.params.flatMap((param, i) => (uncertain[i] && !isAnything(param) ? [i] : []));
    if (needed.length === 0) return only.run;
  }
  return (...values) => {
    for (const overload of call.overloads) if (accepts(overload, values)) return overload.run(...values);
    if (silent.test(call.fn)) throw noSuchOverload();
    if (call.fn === "size") throw new CelError("no such overload: size");
    throw new CelError(`no such overload: ${call.fn}(${values.map(typeNameOf).join(", ")})`);
  };
}

function isUncertain(type: CelType): boolean {
  return type.kind === "dyn" || (type.kind === "list" && isUncertain(type.element));
}

function isAnything(type: CelType): boolean {
  return type.kind === "dyn" || type.kind === "param";
}

function accepts(overload: Overload, values: readonly CelValue[]): boolean {
  for (let i = 0; i < values.length; i++) if (!isOf(values[i]!, overload.params[i]!)) return false;
  return true;
}

/** Whether a value fits a parameter. Of a list only the first item is looked at. */
function isOf(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "dyn":
    case "param":
      return true;
    case "bool":
      return typeof value === "boolean";
    case "int":
      return typeof value === "bigint";
    case "double":
      return typeof value === "number";
    case "string":
      return typeof value === "string";
    case "null":
      return value === null;
    case "bytes":
      return value instanceof Uint8Array;
    case "uint":
      return value instanceof CelUint;
    case "list":
      return isList(value) && (value.size === 0 || isOf(value.at(0), type.element));
    case "map":
      return isMap(value);
    case "opaque":
      return typeNameOf(value) === type.name;
    default:
      return kindOf(value) === type.kind;
  }
}
