import type { Listing } from "./every-page.ts";

interface Tokened {
  readonly NextToken?: string | undefined;
}

interface Marked {
  readonly Marker?: string | undefined;
}

/** A listing whose pages and requests have a `NextToken`. */
export function byNextToken<Input extends Tokened, Output extends Tokened>(
  list: Listing<Input, Output>["list"],
): Listing<Input, Output> {
  return { list, next: (page) => page.NextToken, follow: (asked, NextToken) => ({ ...asked, NextToken }) };
}

/** A listing whose pages and requests have a `Marker`. */
export function byMarker<Input extends Marked, Output extends Marked>(
  list: Listing<Input, Output>["list"],
): Listing<Input, Output> {
  return { list, next: (page) => page.Marker, follow: (asked, Marker) => ({ ...asked, Marker }) };
}
