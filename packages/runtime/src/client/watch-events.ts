import { getPath, isObject } from "@gatewright/kube";
import type { ApiObject, Json, Resource } from "@gatewright/kube";
import { TransportError } from "../transport/transport-error.ts";
import type { Caller } from "./caller.ts";
import type { WatchEvent, WatchOptions } from "./client.ts";
import { knownEvent } from "./known-event.ts";
import { objectOf } from "./object-of.ts";
import { statusError } from "./refusal.ts";
import { acceptHeader } from "./representation.ts";
import { collectionPath } from "./resource-path.ts";
import { watchLines } from "./watch-lines.ts";

const INITIAL_EVENTS_END = "k8s.io/initial-events-end";

/** The changes of a kind, until the signal aborts or the server ends the stream. */
export async function* watchEvents<T extends ApiObject>(
  caller: Caller,
  resource: Resource<T>,
  options: WatchOptions<T>,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const { signal, known = knownToNobody } = options;
  const isOver = (): boolean => signal?.aborted === true;
  if (isOver()) return;
  try {
    const response = await caller.send({
      method: "GET",
      path: collectionPath(resource, options.namespace),
      query: {
        watch: true,
        allowWatchBookmarks: true,
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.sendInitialEvents === undefined ? undefined : "NotOlderThan",
        sendInitialEvents: options.sendInitialEvents,
        timeoutSeconds: options.timeoutSeconds,
      },
      accept: acceptHeader(options.metadataOnly, "watch"),
      signal,
    });
    for await (const line of watchLines(response.body)) yield knownEvent(line, known) ?? eventOf(resource, line);
  } catch (error) {
    if (!isOver()) throw error;
  }
}

function knownToNobody(): undefined {}

function eventOf<T extends ApiObject>(resource: Resource<T>, line: string): WatchEvent<T> {
  const frame = parse(line);
  const { type, object = null } = isObject(frame) ? frame : {};
  switch (type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
      return { type, object: objectOf(resource, object) };
    case "BOOKMARK":
      return bookmark(object);
    case "ERROR":
      throw isObject(object) ? statusError(object, 500) : noEvent();
    default:
      throw noEvent();
  }
}

function bookmark(object: Json): WatchEvent<never> {
  const resourceVersion = getPath(object, "metadata", "resourceVersion");
  if (typeof resourceVersion !== "string") throw new TransportError("malformed", "a bookmark without its version");
  const end = getPath(object, "metadata", "annotations", INITIAL_EVENTS_END);
  return { type: "BOOKMARK", resourceVersion, initialEventsEnd: end === "true" };
}

function parse(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch (error) {
    throw new TransportError("malformed", "the watch sent a line that is not JSON", { cause: error });
  }
}

function noEvent(): TransportError {
  return new TransportError("malformed", "the watch sent something that is no event");
}
