import { AwsError } from "../aws-error.ts";

export const invalid = (message: string): AwsError => new AwsError("InvalidParameterException", message);

/** A page of texts in their order, and where the next begins: empty at the end, as this API has it. */
export function pageAfter<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  token: string | undefined,
  isFull: (shown: readonly T[]) => boolean,
): { readonly items: readonly T[]; readonly token: string } {
  const after = token === undefined || token === "" ? undefined : keyIn(token);
  const rest = after === undefined ? items : items.filter((item) => keyOf(item) > after);
  const shown: T[] = [];
  for (const item of rest) {
    if (isFull(shown)) break;
    shown.push(item);
  }
  const last = shown.at(-1);
  const more = last !== undefined && shown.length < rest.length;
  return { items: shown, token: more ? Buffer.from(keyOf(last)).toString("base64url") : "" };
}

function keyIn(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (key === "" || Buffer.from(key).toString("base64url") !== token) throw invalid("The pagination token is invalid.");
  return key;
}
