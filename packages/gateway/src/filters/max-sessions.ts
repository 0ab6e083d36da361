import type { Clock } from "@gatewright/ports";
import type { Source } from "../exchange/body.ts";
import { Fields } from "../exchange/fields.ts";
import { localAnswer } from "../exchange/local-answer.ts";
import type { Answer } from "../exchange/answer.ts";
import type { Filter } from "../pipeline/filter.ts";
import { specMs } from "../configuration/spec-duration.ts";
import type { Around } from "./around.ts";
import { SessionGate } from "./max-sessions-gate.ts";

/** The field `maxSessions` of routes and backends. */
export interface MaxSessionsSpec {
  readonly enabled: boolean;
  readonly maxConcurrent: number;
  readonly queueSize?: number;
  readonly queueTimeout?: string;
}

/**
 * Lets so many calls of a route be under way at the same time; some more wait, and the others are answered with 503. A call is under
 * way until its answer's last byte is sent, an upgraded connection until it is closed.
 */
export function maxSessionsFilter(spec: MaxSessionsSpec, { clock, kept, routeId }: Around): Filter {
  const gate = keptGate(spec, kept, routeId, clock);
  const inside = new WeakSet<object>();
  const decide = (call: object, entered: boolean): Answer | undefined => {
    if (!entered) return full();
    inside.add(call);
    return undefined;
  };
  return {
    name: "maxSessions",
    request(call) {
      const entered = gate.enter(call);
      if (entered === false) return full();
      // Covers what never gets to `response`: clients that go, calls that take too long, faults of later filters.
      call.onAbort(() => gate.leave(call));
      return entered === true ? decide(call, true) : entered.then((did) => decide(call, did));
    },
    response(call, answer) {
      if (!inside.has(call)) return answer;
      if (answer.body === undefined) gate.leave(call);
      else answer.body = toldAtEnd(answer.body, () => gate.leave(call));
      return answer;
    },
  };
}

/** The gate of a route or backend: the one from before as long as its limits are the same. */
export function keptGate(spec: MaxSessionsSpec, kept: Around["kept"], name: string, clock: Clock): SessionGate {
  const limits = {
    maxConcurrent: spec.maxConcurrent,
    queueSize: spec.queueSize ?? 0,
    queueTimeoutMs: specMs(spec.queueTimeout, 1000),
  };
  return kept.of("maxSessions", name, limits, () => ({ state: new SessionGate(limits, clock) }));
}

const full = (): Answer =>
  localAnswer(503, "too_many_sessions", "too many requests at the same time", new Fields(["retry-after", "1"]));

/** A body that tells when it is over, in whatever way. May tell more than once. */
export function toldAtEnd(source: Source, over: () => void): Source {
  return {
    length: source.length,
    open(sink) {
      source.open({
        write: (chunk) => sink.write(chunk),
        end(trailers) {
          over();
          sink.end(trailers);
        },
        abort(error) {
          over();
          sink.abort(error);
        },
        onDrain: (listener) => sink.onDrain(listener),
      });
    },
    cancel() {
      over();
      source.cancel();
    },
  };
}
