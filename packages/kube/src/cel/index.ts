export { CostBudget, CostExceeded } from "./budget.ts";
export { compile } from "./compile.ts";
export type { CelProgram, CompileResult } from "./compile.ts";
export { unlimited } from "./size-estimate.ts";
export type { CostEstimate } from "./size-estimate.ts";
export type { CelEnv } from "./environment.ts";
export { escapeName, unescapeName } from "./escape.ts";
export type { CelIssue } from "./issue.ts";
export { fn, method } from "./function.ts";
export type { Library, Overload } from "./function.ts";
export { fromJson } from "./json-value.ts";
export { authorizerType, authorizerValue, resourceCheckType, resourceCheckValue } from "./library/authorization.ts";
export type {
  AskAuthorizer,
  AuthorizationAnswer,
  AuthorizationQuestion,
  ResourceQuestion,
} from "./library/authorization.ts";
export { celTypeFromSchema, maxRequestBytes } from "./schema-type.ts";
export type { Activation } from "./step.ts";
export * from "./types.ts";
export { CelError, CelOptional, isList, isMap } from "./value.ts";
export type { CelList, CelMap, CelOpaque, CelValue } from "./value.ts";
