export { builtinType, typeOfDefinition } from "./builtin-type.ts";
export type { BuiltinType } from "./builtin-type.ts";
export { decodeBuiltin } from "./decode.ts";
export type { DecodedBuiltin } from "./decode.ts";
export { settleEmpty } from "./settle-empty.ts";
export { builtinDefinition, definitionNameOfKind } from "./openapi-schema.ts";
