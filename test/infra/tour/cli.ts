import type { Json } from "@gatewright/kube";
import type { Answer, Aws } from "../../local-aws/tours/aws-session.ts";

/** What tours know of AWS: the answers of the `aws` command, and nothing of our own. */
export interface Cli {
  /** What it printed. A refusal is an error. */
  ask(words: string, ...rest: (string | object)[]): Promise<Json>;
  /** What it printed; undefined where AWS refuses with such a code. */
  askUnless(refused: RegExp, words: string, ...rest: (string | object)[]): Promise<Json | undefined>;
}

export function cliOf(aws: Aws): Cli {
  const told = (words: string, answer: Answer): Json => {
    if ("refused" in answer) throw new Error(`aws ${words}: ${answer.refused}: ${answer.message}`);
    return answer.ok as Json;
  };
  return {
    ask: async (words, ...rest) => told([words, ...rest.map(String)].join(" "), await aws(words, ...rest)),
    async askUnless(refused, words, ...rest) {
      const answer = await aws(words, ...rest);
      return "refused" in answer && refused.test(answer.refused) ? undefined : told(words, answer);
    },
  };
}

/** A value deep in what was printed. Undefined when it is not there. */
export function within(told: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let value: unknown = told;
  for (const part of path) value = (value as Record<string | number, unknown> | undefined | null)?.[part];
  return value as Json | undefined;
}

/** A text deep in what was printed; fails when there is none. */
export function textIn(told: Json | undefined, ...path: (string | number)[]): string {
  const value = within(told, ...path);
  if (typeof value !== "string") throw new Error(`no ${path.join(".")} in ${JSON.stringify(told)}`);
  return value;
}

/** Tags by key, from any of the spellings that services have: `Key` and `Value`, `TagKey`, lower case. */
export function tagsIn(list: Json | undefined): Readonly<Record<string, string>> {
  const tags = (list ?? []) as readonly Readonly<Record<string, string>>[];
  return Object.fromEntries(tags.map((tag) => [tag["Key"] ?? tag["key"] ?? "", tag["Value"] ?? tag["value"] ?? ""]));
}
