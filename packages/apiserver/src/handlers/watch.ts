import { expired, resourceVersionTooLarge, statusJson } from "@gatewright/kube";
import type { StatusError } from "@gatewright/kube";
import type { ApiResponse, StreamSink } from "../http/api-request.ts";
import { JSON_TYPE } from "./encode.ts";
import { waitForRevision } from "./freshness.ts";
import { parseListOptions, parseObjectVersion, validateListOptions } from "./list-options.ts";
import type { ListOptions } from "./list-options.ts";
import { negotiateWatch } from "./negotiate.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { selection } from "./selection.ts";
import { frameMaker } from "./watch-frames.ts";
import { WatchSession } from "./watch-session.ts";
import type { WatchPlan } from "./watch-session.ts";

const MIN_TIMEOUT_S = 1800;

/** Answers a watch. Errors of the request are HTTP errors; a revision that is gone is an ERROR event, as clients expect. */
export async function watchObjects(call: ResourceCall): Promise<ApiResponse> {
  const { request, deps } = call;
  let options = parseListOptions(request.query);
  validateListOptions(options, true);
  if (call.info.watchPrefix && call.info.name !== "") {
    const byName = `metadata.name=${call.info.name}`;
    options = {
      ...options,
      fieldSelector: options.fieldSelector === "" ? byName : `${options.fieldSelector},${byName}`,
    };
  }
  const asked = options.resourceVersion === "" ? 0 : parseObjectVersion(options.resourceVersion);
  const prepared = { options, asked, ...prepare(call, options) };
  try {
    await waitForRevision(deps.store, deps.clock, asked, request.signal);
  } catch {
    return errorStream(resourceVersionTooLarge(asked, deps.store.revision));
  }
  return {
    status: 200,
    headers: { "content-type": JSON_TYPE },
    body: { start: (sink) => startSession(call, prepared, sink) },
  };
}

interface PreparedWatch extends Pick<WatchPlan, "frames" | "selected" | "timeoutMs"> {
  readonly options: ListOptions;
  readonly asked: number;
}

function prepare(call: ResourceCall, options: ListOptions): Pick<WatchPlan, "frames" | "selected" | "timeoutMs"> {
  const { resource, version, info, request, deps } = call;
  const seconds = options.timeoutSeconds ?? 0;
  const spread = (deps.random.bytes(1)[0] ?? 0) / 256;
  return {
    frames: frameMaker(call, negotiateWatch(request.headers, request.query, call.resource.custom)),
    selected: selection(resource, version, tableOf(call), info.namespace, options),
    timeoutMs: (seconds > 0 ? seconds : MIN_TIMEOUT_S * (1 + spread)) * 1000,
  };
}

/** Reads the state and joins the stream of changes in one step, so that nothing falls between. */
function startSession(call: ResourceCall, prepared: PreparedWatch, sink: StreamSink): () => void {
  const { deps } = call;
  const table = tableOf(call);
  const { options, asked, selected } = prepared;
  const fromNow = asked === 0;
  const wantsInitial = options.sendInitialEvents ?? fromNow;
  const snapshot = table.snapshot();
  const from = wantsInitial || fromNow ? snapshot.revision : asked;
  const plan: WatchPlan = {
    frames: prepared.frames,
    selected,
    initial: wantsInitial ? snapshot.entries({ prefix: selected.prefix }) : undefined,
    initialRevision: snapshot.revision,
    markEnd: wantsInitial && options.allowWatchBookmarks,
    bookmarks: options.allowWatchBookmarks,
    timeoutMs: prepared.timeoutMs,
    subscribe: (listener) => table.watch(from, listener),
    revision: () => deps.store.revision,
    clock: deps.clock,
  };
  const stop = new WatchSession(plan, sink).run();
  if (stop !== "expired") return endingWith(call, stop, sink);
  sink.write(errorFrame(expired(`too old resource version: ${asked} (${snapshot.revision})`)));
  sink.end();
  return () => {};
}

/**
 * Ends a stream when the server stops, and one of custom resources when their definition changes or goes: what comes after is
 * not what the reader asked for. Returns how to leave it before.
 */
function endingWith(call: ResourceCall, stop: () => void, sink: StreamSink): () => void {
  const { stopping, resources } = call.deps;
  const end = (): void => {
    leave();
    sink.end();
  };
  const forget = call.resource.custom
    ? resources.onChange(() => resources.get(call.resource) !== call.resource && end())
    : undefined;
  const leave = (): void => {
    stopping.removeEventListener("abort", end);
    forget?.();
    stop();
  };
  stopping.addEventListener("abort", end, { once: true });
  return leave;
}

function errorFrame(error: StatusError): Buffer {
  return Buffer.from(`${JSON.stringify({ type: "ERROR", object: statusJson(error.toStatus()) })}\n`);
}

function errorStream(error: StatusError): ApiResponse {
  return {
    status: 200,
    headers: { "content-type": JSON_TYPE },
    body: {
      start(sink) {
        sink.write(errorFrame(error));
        sink.end();
        return () => {};
      },
    },
  };
}
