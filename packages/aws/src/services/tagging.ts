import type { GetResourcesInput, Operations } from "@gatewright/aws-wire/types/tagging";
import type { Caller } from "../caller.ts";
import { pages } from "../pages.ts";
import { serviceCalls } from "../service-calls.ts";
import type { CallOptions } from "../service-calls.ts";

const REPEATABLE = ["GetResources"] as const;

/** Resource Groups Tagging: each operation as a function, and its listing whole. */
export function taggingCalls(call: Caller) {
  const calls = serviceCalls<Operations, (typeof REPEATABLE)[number]>(call, "tagging", {
    repeatable: REPEATABLE,
    once: [],
  });
  return {
    ...calls,
    allResources: (input: GetResourcesInput, options?: CallOptions) =>
      pages(
        {
          list: calls.getResources,
          items: (page) => page.ResourceTagMappingList,
          next: (page) => page.PaginationToken,
          follow: (asked, PaginationToken) => ({ ...asked, PaginationToken }),
        },
        input,
        options,
      ),
  };
}

/** {@inheritDoc taggingCalls} */
export type TaggingCalls = ReturnType<typeof taggingCalls>;
