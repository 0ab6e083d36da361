import type { Answer } from "../../exchange/answer.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";

/** What a call gets from the filters after this one and from the route's action. */
export async function restOfRoute(call: Call, after: Filter): Promise<Answer> {
  const { filters } = call.route;
  const first = filters.indexOf(after) + 1;
  let reached = first;
  let answer: Answer | undefined;
  for (; reached < filters.length && answer === undefined; reached++) answer = await filters[reached]?.request?.(call);
  answer ??= await call.route.act(call);
  while (--reached >= first) answer = (await filters[reached]?.response?.(call, answer)) ?? answer;
  return answer;
}
