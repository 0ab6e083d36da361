import { AwsError } from "../aws-error.ts";

const MOST = 1000;
const FEWEST = 5;

/** What describes are asked for. */
export interface Paging {
  readonly MaxResults?: number | undefined;
  readonly NextToken?: string | undefined;
}

/** The page after a token, in the order of `keyOf`. Without a size everything is one page. */
export function page<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  { MaxResults: most, NextToken: token }: Paging,
): { readonly items: readonly T[]; readonly next: { readonly NextToken?: string } } {
  if (most !== undefined && (most < FEWEST || most > MOST)) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value ( ${most} ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.`,
    );
  }
  const after = token === undefined || token === "" ? undefined : Buffer.from(token, "base64url").toString();
  if (after !== undefined && Buffer.from(after).toString("base64url") !== token) {
    throw new AwsError("InvalidNextToken", "The specified token is not valid.");
  }
  const rest = items
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .filter((item) => after === undefined || keyOf(item) > after);
  const shown = rest.slice(0, most ?? rest.length);
  const last = shown.at(-1);
  return {
    items: shown,
    next:
      rest.length > shown.length && last !== undefined
        ? { NextToken: Buffer.from(keyOf(last)).toString("base64url") }
        : {},
  };
}
