import { invalid } from "./refusals.ts";

/** One page of a list, and where the next begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/** The page after a token. The keys of the items differ and are ascending; items that come or go shift nothing else. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  token: string | undefined,
  size: number,
): Page<T> {
  const after = token === undefined ? undefined : keyIn(token);
  const rest = after === undefined ? items : items.filter((item) => keyOf(item) > after);
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  return { items: shown, nextToken: rest.length > size && last !== undefined ? tokenOf(keyOf(last)) : undefined };
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}

function keyIn(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (key === "" || tokenOf(key) !== token) throw invalid("The NextToken is not valid.");
  return key;
}
