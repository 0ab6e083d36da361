export type { AwsKind, Change, Creation, Managed, Obstacle, ResourceState } from "./engine/aws-kind.ts";
export type { Field } from "./engine/field.ts";
export type { Given, Reference } from "./engine/given.ts";
export type { Ground, Session } from "./engine/session.ts";
export { REASONS } from "./reasons.ts";
