import type { Answer } from "./aws-session.ts";

/** A value deep in what was answered: `at(answer, "HostedZone", "Id")`. Undefined when it is not there. */
export function at(answer: Answer | undefined, ...path: (string | number)[]): unknown {
  let value: unknown = answer && "ok" in answer ? answer.ok : undefined;
  for (const part of path) value = (value as Record<string | number, unknown> | undefined)?.[part];
  return value;
}

/** A text deep in what was answered; fails when there is none, because the tour cannot go on. */
export function textAt(answer: Answer, ...path: (string | number)[]): string {
  const value = at(answer, ...path);
  if (typeof value !== "string") throw new Error(`no ${path.join(".")} in ${JSON.stringify(answer)}`);
  return value;
}
