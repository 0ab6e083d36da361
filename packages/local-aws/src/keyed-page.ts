/** A page of things, and what to ask for the next with. */
export interface KeyedPage<T> {
  readonly items: readonly T[];
  /** Undefined on the last page. */
  readonly next: string | undefined;
}

/**
 * The page after a token, in the order that the items have. Keys must ascend in that order; an item that came or went between two
 * pages shifts no other. Undefined when the token is none that was given.
 */
export function keyedPage<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { size, token }: { readonly size: number; readonly token: string | undefined },
): KeyedPage<T> | undefined {
  const after = token === undefined ? undefined : Buffer.from(token, "base64url").toString();
  if (after !== undefined && (after === "" || Buffer.from(after).toString("base64url") !== token)) return undefined;
  const rest = after === undefined ? items : items.filter((item) => keyOf(item) > after);
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  const more = rest.length > shown.length && last !== undefined;
  return { items: shown, next: more ? Buffer.from(keyOf(last)).toString("base64url") : undefined };
}
