import { invalid } from "./refusals.ts";

const LARGEST = 400;

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextMarker: string | undefined;
}

/**
 * The page after a marker. `keyOf` gives what the items are ordered by; items that came or went between two pages shift nothing
 * else. Markers are opaque to clients.
 */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  {
    Marker: marker,
    PageSize: size = LARGEST,
  }: { readonly Marker?: string | undefined; readonly PageSize?: number | undefined },
): Page<T> {
  if (!Number.isInteger(size) || size < 1 || size > LARGEST) {
    throw invalid(
      `1 validation error detected: Value '${size}' at 'pageSize' failed to satisfy constraint: Member must have value ${size < 1 ? "greater than or equal to 1" : `less than or equal to ${LARGEST}`}`,
    );
  }
  const after = marker === undefined ? undefined : keyIn(marker);
  const rest = items
    .map((item) => ({ item, key: keyOf(item) }))
    .toSorted((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .filter(({ key }) => after === undefined || key > after);
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    nextMarker: rest.length > size && last !== undefined ? markerOf(last.key) : undefined,
  };
}

function markerOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function keyIn(marker: string): string {
  const key = Buffer.from(marker, "base64url").toString();
  if (key === "" || markerOf(key) !== marker) throw invalid(`Invalid marker '${marker.slice(0, 64)}'`);
  return key;
}
