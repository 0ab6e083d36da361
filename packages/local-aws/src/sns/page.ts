import { invalid } from "./refusals.ts";

const PER_PAGE = 100;

/** A page of a list that is in the order of its keys, from where the token says. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  token: string | undefined,
): { readonly items: readonly T[]; readonly NextToken?: string } {
  const after = token === undefined || token === "" ? undefined : keyIn(token);
  const rest = after === undefined ? items : items.filter((item) => keyOf(item) > after);
  const shown = rest.slice(0, PER_PAGE);
  const last = shown.at(-1);
  return rest.length > shown.length && last !== undefined
    ? { items: shown, NextToken: Buffer.from(keyOf(last)).toString("base64url") }
    : { items: shown };
}

function keyIn(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (key !== "" && Buffer.from(key).toString("base64url") === token) return key;
  throw invalid("NextToken");
}
