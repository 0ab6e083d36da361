export { builtinType, typeOfDefinition } from "./builtin-type.ts";
export type { BuiltinType } from "./builtin-type.ts";
