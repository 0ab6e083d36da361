import { StatusError } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import { permitted } from "./access/access.ts";
import type { Access, ReadVerb } from "./access/access.ts";
import type { EventHistory } from "./history/event-history.ts";
import type { Caller, HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { listEvents, parseEventFilter } from "./list-events.ts";
import { namedKinds, selects, valuesOf } from "./selection.ts";
import type { Selection } from "./selection.ts";
import { startFrom } from "./watch/position.ts";
import { WatchStream } from "./watch/watch-stream.ts";

export interface EventApiOptions {
  /** The kinds whose changes are told. A recorder must follow them into the history. Secrets are refused. */
  readonly resources: readonly Resource[];
  readonly history: EventHistory;
  readonly access: Access;
  readonly clock: Clock;
  /** Streams that may be open at once. Default: 5,000. */
  readonly maxStreams?: number;
}

/** What changes, as plain HTTP tells it; any server can mount it. Rejects with a StatusError, which is then the answer. */
export interface EventApi {
  /** `GET /watch`: Server-Sent Events. */
  readonly watch: (question: HttpQuestion, caller: Caller) => Promise<HttpAnswer>;
  /** `GET /events`: recent changes. */
  readonly events: (question: HttpQuestion, caller: Caller) => Promise<HttpAnswer>;
  /** How many streams are open. */
  readonly streams: number;
}

const MAX_STREAMS = 5_000;

export function createEventApi(options: EventApiOptions): EventApi {
  const { resources, history, access, clock, maxStreams = MAX_STREAMS } = options;
  if (resources.some(({ group, kind }) => group === "" && kind === "Secret")) {
    throw new TypeError("the event API does not tell Secrets");
  }
  let streams = 0;

  /** What the caller asked for and may see, and how to ask again whether that still holds. */
  async function select(query: URLSearchParams, caller: Caller, verb: ReadVerb) {
    const named = namedKinds(query, resources);
    const spaces = valuesOf(query, "namespace");
    const namespaces = spaces.length === 0 ? undefined : spaces;
    const found = await permitted(access, caller, verb, { kinds: named ?? resources, namespaces, named: !!named });
    return { found, again: () => permitted(access, caller, verb, { ...found, named: true }) };
  }

  return {
    get streams() {
      return streams;
    },
    async watch({ query, headers, signal }, caller) {
      const { found, again } = await select(query, caller, "watch");
      if (streams >= maxStreams) throw tooManyStreams(maxStreams);
      const lastEventId = headers["last-event-id"] ?? query.get("lastEventId") ?? "";
      return eventStream((sink) => {
        streams++;
        const plan = {
          history,
          clock,
          signal,
          start: startFrom(history, lastEventId),
          selected: selects(found),
          stillAllowed: () => stillAllowed(again),
          over: () => void streams--,
        };
        return new WatchStream(plan, sink).run();
      });
    },
    async events({ query }, caller) {
      const filter = parseEventFilter(query);
      const { found } = await select(query, caller, "list");
      return listEvents(history, filter, selects(found));
    },
  };
}

async function stillAllowed(again: () => Promise<Selection>): Promise<boolean> {
  try {
    await again();
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.code === 403) return false;
    throw error;
  }
}

function tooManyStreams(limit: number): StatusError {
  const message = `${limit} streams are open already; try again later`;
  return new StatusError({ code: 429, reason: "TooManyRequests", message, details: { retryAfterSeconds: 5 } });
}

function eventStream(start: Extract<HttpAnswer["body"], { start: unknown }>["start"]): HttpAnswer {
  return {
    status: 200,
    // Proxies that gather what they pass on would hold events back.
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
    body: { start },
  };
}
