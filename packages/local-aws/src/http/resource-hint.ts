/** Names of members that say what a call is about. None of them is ever a secret. */
const TELLING = /(?:Arn|Id|Url|Identifier|Bucket|Name)$/;
const LONGEST = 256;

/** What a call is about, as far as its input tells: the first member that is an id or a name. */
export function resourceHint(input: object): string | undefined {
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === "string" && TELLING.test(name)) return value.slice(0, LONGEST);
  }
  return undefined;
}
