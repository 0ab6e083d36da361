import { AwsError } from "../aws-error.ts";
import { checkRange } from "./refusals.ts";

const LARGEST = 1_000;

/** A page of queues by name. There is a token only for those who ask for pages: others get the first thousand. */
export function pageOfNames<T extends { readonly name: string }>(
  items: readonly T[],
  { MaxResults, NextToken }: { readonly MaxResults?: number | undefined; readonly NextToken?: string | undefined },
): { readonly items: readonly T[]; readonly nextToken: string | undefined } {
  checkRange("MaxResults", MaxResults, 1, LARGEST);
  const after = NextToken === undefined ? undefined : nameIn(NextToken);
  const rest = after === undefined ? items : items.filter(({ name }) => name > after);
  const shown = rest.slice(0, MaxResults ?? LARGEST);
  const last = shown.at(-1);
  const more = MaxResults !== undefined && rest.length > shown.length && last !== undefined;
  return { items: shown, nextToken: more ? Buffer.from(last.name).toString("base64url") : undefined };
}

function nameIn(token: string): string {
  const name = Buffer.from(token, "base64url").toString();
  if (name !== "" && Buffer.from(name).toString("base64url") === token) return name;
  throw new AwsError("InvalidParameterValue", "Invalid NextToken value.");
}
