import { specMs } from "../configuration/spec-duration.ts";
import { happens } from "../backends/balancing/fraction.ts";
import type { Answer } from "../exchange/answer.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { Around } from "./around.ts";

/** The field `fault` of routes. */
export interface FaultSpec {
  readonly delay?: { readonly fixedDelay: string; readonly percentage?: number };
  readonly abort?: { readonly httpStatus: number; readonly percentage?: number };
}

/** Makes requests wait, then fail, as often as the route says: each is drawn by itself. */
export function faultFilter({ delay, abort }: FaultSpec, { clock, random }: Around): Filter {
  const delayMs = specMs(delay?.fixedDelay, 0);
  const failing = (): Answer | undefined =>
    abort !== undefined && happens(random, abort.percentage ?? 100)
      ? localAnswer(abort.httpStatus, "fault", "a fault that the route injects")
      : undefined;
  const waited = (call: Call): Promise<Answer | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    const cancel = clock.timer(delayMs, () => resolve(failing()));
    call.onAbort((reason) => {
      cancel();
      reject(reason);
    });
    return promise;
  };
  return {
    name: "fault",
    request: (call) => (delayMs > 0 && happens(random, delay?.percentage ?? 100) ? waited(call) : failing()),
  };
}
