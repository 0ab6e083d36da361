import type { Library } from "./function.ts";
import type { CelType } from "./types.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  opaqueType,
  optionalType,
  stringType,
  timestampType,
  uintType,
} from "./types.ts";

/** What an expression may use besides the functions and types that every Kubernetes expression has. */
export interface CelEnv {
  /** Variables by name. A dotted name (`authorizer.requestResource`) wins over selecting a field. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** Object types that the expression may construct, as in `Object.spec{replicas: 3}`. */
  readonly constructible?: (name: string) => CelType | undefined;
  /** Further functions, made with `fn` and `method`. A name that every expression has gets these forms as well. */
  readonly functions?: Library;
}

/** Names that stand for types, as in `type(x) == string`. */
export const typeNames: ReadonlyMap<string, CelType> = new Map([
  ["bool", boolType],
  ["bytes", bytesType],
  ["double", doubleType],
  ["google.protobuf.Duration", durationType],
  ["google.protobuf.Timestamp", timestampType],
  ["int", intType],
  ["list", listType(dynType)],
  ["map", mapType(dynType, dynType)],
  ["net.CIDR", opaqueType("net.CIDR")],
  ["net.IP", opaqueType("net.IP")],
  ["null_type", nullType],
  ["optional_type", optionalType(dynType)],
  ["string", stringType],
  ["type", { kind: "type" }],
  ["uint", uintType],
]);
