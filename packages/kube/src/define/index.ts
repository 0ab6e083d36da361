export { ageColumn, conditionColumn } from "./columns.ts";
export type { ConditionValue } from "./conditions.ts";
export { defineResource } from "./define-resource.ts";
export { DefinitionError } from "./definition-error.ts";
export type { ManifestOf, ObjectOf, ResourceDefinition } from "./resource-definition.ts";
export { atLeastOneOf, atMostOneOf, exactlyOneOf, immutable, keptOnceSet, needs } from "./rule.ts";
export type { Rule } from "./rule.ts";
export { s } from "./s.ts";
export type { ReadOf, Schema } from "./schema.ts";
