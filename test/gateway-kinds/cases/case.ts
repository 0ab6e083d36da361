import type { Json, JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";

/** An object to give to API servers. Without `refused` it is valid; otherwise these are the fields that the refusal names. */
export interface Case {
  readonly what: string;
  readonly resource: ResourceDefinition;
  readonly spec?: Json;
  /** Written to the status subresource of the object. */
  readonly status?: JsonObject;
  readonly refused?: readonly string[];
}

/** A line of a table: what it is about, the spec, the fields at fault. */
export type Line = readonly [what: string, spec: Json, ...refused: string[]];

/** Cases of one kind. */
export function casesOf(resource: ResourceDefinition, lines: readonly Line[]): Case[] {
  return lines.map(([what, spec, ...refused]) => ({ what, resource, spec, ...(refused.length > 0 && { refused }) }));
}

/** Cases of statuses, written to an object with this spec. */
export function statusCasesOf(resource: ResourceDefinition, spec: Json, lines: readonly Line[]): Case[] {
  return lines.map(([what, status, ...refused]) => ({
    what: `status: ${what}`,
    resource,
    spec,
    status: status as JsonObject,
    ...(refused.length > 0 && { refused }),
  }));
}

/** Items that differ in a number. */
export const times = <T>(count: number, item: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => item(n));
