import { parseGoDuration } from "@gatewright/kube";

/** Milliseconds of a duration in a specification, or what counts without one. The schema has refused what is no duration. */
export function specMs(text: string | undefined, otherwise: number): number;
export function specMs(text: string | undefined): number | undefined;
export function specMs(text: string | undefined, otherwise?: number): number | undefined {
  const nanoseconds = text === undefined ? undefined : parseGoDuration(text);
  return nanoseconds === undefined ? otherwise : Number(nanoseconds) / 1e6;
}
