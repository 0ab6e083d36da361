import type { Filter } from "@gatewright/aws-wire/types/rds";
import { invalidValue } from "./refusals.ts";

const MOST = 100;
const FEWEST = 20;

/** What describes are asked for. */
export interface Paging {
  readonly MaxRecords?: number | undefined;
  readonly Marker?: string | undefined;
}

/** The page after a marker. Items are in the order of `keyOf`; one that came or went shifts nothing else. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { MaxRecords: most = MOST, Marker: marker }: Paging,
): { readonly items: readonly T[]; readonly marker: { readonly Marker?: string } } {
  if (most < FEWEST || most > MOST)
    throw invalidValue(`Invalid value ${most} for MaxRecords. Must be between 20 and 100`);
  const after = marker === undefined ? undefined : Buffer.from(marker, "base64url").toString();
  if (after === "") throw invalidValue("Invalid marker.");
  const rest = items
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .filter((item) => after === undefined || keyOf(item) > after);
  const shown = rest.slice(0, most);
  const last = shown.at(-1);
  return {
    items: shown,
    marker: rest.length > most && last !== undefined ? { Marker: Buffer.from(keyOf(last)).toString("base64url") } : {},
  };
}

/** Those that pass every filter: one of its values each. */
export function filtered<T>(
  items: readonly T[],
  filters: readonly Filter[] | undefined,
  known: ReadonlyMap<string, (item: T) => string | undefined>,
): readonly T[] {
  return (filters ?? []).reduce<readonly T[]>((left, { Name: name, Values: values }) => {
    const valueOf = known.get(name);
    if (valueOf === undefined) throw invalidValue(`Unrecognized filter name: ${name}`);
    if (values.length === 0) throw invalidValue(`The filter ${name} must have a value.`);
    const wanted = new Set(values.map((value) => value.toLowerCase()));
    return left.filter((item) => wanted.has((valueOf(item) ?? "").toLowerCase()));
  }, items);
}
