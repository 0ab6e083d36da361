import { badRequest, quote, serviceUnavailable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { Client } from "@gatewright/runtime";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { liveStream } from "../live/live-stream.ts";
import type { Wanted } from "../live/live-stream.ts";
import { shownResource } from "../shown-kinds.ts";

/** Streams that one process serves at a time: each has a watch for every kind that it tells of. */
const MOST_STREAMS = 256;
const MOST_KINDS = 64;

export interface LiveApi {
  /**
   * `kind=apiroutes.avapigw.io`, several times, each with `@resourceVersion` where the reader has something already; `namespace`
   * for one alone.
   */
  stream(question: HttpQuestion, client: Client): HttpAnswer;
}

/** One stream for all kinds that a page shows: browsers allow few connections to one server. */
export function createLiveApi(deps: { readonly clock: Clock; readonly fault: (error: unknown) => void }): LiveApi {
  let streams = 0;
  return {
    stream({ query, signal }, client) {
      const wanted = wantedKinds(query);
      if (streams >= MOST_STREAMS) throw serviceUnavailable("too many pages follow what happens; try again later");
      streams++;
      return {
        status: 200,
        headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
        body: liveStream({ ...deps, wanted, client, signal, over: () => void streams-- }),
      };
    },
  };
}

function wantedKinds(query: URLSearchParams): readonly Wanted[] {
  const namespace = query.get("namespace") || undefined;
  const ids = query.getAll("kind");
  if (ids.length === 0) throw badRequest("kind is missing: which kinds to follow, such as kind=apiroutes.avapigw.io");
  if (ids.length > MOST_KINDS) throw badRequest(`no more than ${MOST_KINDS} kinds can be followed at once`);
  return ids.map((text) => {
    const [id = "", version] = text.split("@", 2);
    const resource = shownResource(id);
    if (resource === undefined) throw badRequest(`there is no kind ${quote(id)} to follow`);
    return { id, resource, version, namespace: resource.namespaced ? namespace : undefined };
  });
}
