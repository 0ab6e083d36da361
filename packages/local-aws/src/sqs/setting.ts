import type { QueueRecord } from "./records.ts";

/** The value of an attribute that is a number. */
export function numberOf({ attributes }: QueueRecord, name: string): number {
  return Number(attributes.find(([each]) => each === name)?.[1] ?? 0);
}

export function textOf({ attributes }: QueueRecord, name: string): string | undefined {
  return attributes.find(([each]) => each === name)?.[1];
}
