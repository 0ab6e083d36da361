import type { Answer } from "../exchange/answer.ts";
import type { Call } from "./call.ts";
import type { Filter } from "./filter.ts";

/** Shows a call to some filters, acts, and shows them the answer in the reverse order: those of a backend, once it is chosen. */
export async function throughFilters(
  filters: readonly Filter[],
  call: Call,
  act: (call: Call) => Answer | Promise<Answer>,
): Promise<Answer> {
  let answer: Answer | undefined;
  let reached = -1;
  while (answer === undefined && reached + 1 < filters.length) answer = await filters[++reached]?.request?.(call);
  answer ??= await act(call);
  for (; reached >= 0; reached--) answer = (await filters[reached]?.response?.(call, answer)) ?? answer;
  return answer;
}
