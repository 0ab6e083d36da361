import { localAnswer } from "../exchange/local-answer.ts";
import type { Filter } from "../pipeline/filter.ts";

/**
 * In place of a filter that guards a route and could not be made: nobody passes. What is wrong was noted for the route's owner; clients
 * are not told.
 */
export function closedFilter(name: string): Filter {
  return {
    name,
    request: () => localAnswer(503, "misconfigured", "this route is not configured correctly"),
  };
}
