import type { Clock } from "@gatewright/ports";
import type { Answer } from "../../exchange/answer.ts";
import { CallAborted } from "../../pipeline/call-aborted.ts";
import type { Call } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";

const MAX_MS = 30_000;

/** A call that no client waits for, and how to be done with it. */
export interface DetachedCall {
  readonly call: Call;
  /** Has to be called when the answer and its body are done with. */
  release(): void;
}

/** A GET like this call, with fields of its own, that ends by itself after 30 s. */
export function detachedCall(call: Call, clock: Clock): DetachedCall {
  const listeners: ((reason: Error) => void)[] = [];
  let aborted: Error | undefined;
  const cancelTimer = clock.timer(MAX_MS, () => {
    aborted = new CallAborted("timeout");
    for (const listener of listeners) listener(aborted);
  });
  const { head } = call;
  return {
    call: {
      head: { ...head, method: "GET", fields: head.fields.copy() },
      body: undefined,
      client: call.client,
      listener: call.listener,
      route: call.route,
      path: call.path,
      query: call.query,
      parameters: call.parameters,
      clientAddress: call.clientAddress,
      isGrpc: false,
      startedAt: clock.monotonic(),
      identity: call.identity,
      trail: { backend: "", endpoint: "", attempts: 0, flag: "" },
      onAbort(listener) {
        if (aborted !== undefined) listener(aborted);
        else listeners.push(listener);
      },
    },
    release: cancelTimer,
  };
}

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
