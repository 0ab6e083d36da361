import type { ApiServer } from "@gatewright/apiserver";
import { isObject, resourceVersionTooLarge } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";
import type { TransportRequest } from "../../transport/transport.ts";
import { askServer } from "./ask-server.ts";
import type { Answer } from "./ask-server.ts";
import type { Call } from "./call.ts";
import { statusAnswer } from "./status-answer.ts";

/**
 * Answers a read as a replica of the server would whose watch cache stands at an older revision: the list, object or initial events
 * of then. Asked for something newer than it has, it says so. The frames of its watches after that revision are the caller's to hold
 * back. Only for calls that allow old answers.
 */
export async function askReplica(
  server: ApiServer,
  request: TransportRequest,
  call: Call,
  revision: number,
  user: string,
): Promise<Answer> {
  const asked = Number(call.query.get("resourceVersion"));
  if (asked > revision) return statusAnswer(resourceVersionTooLarge(asked, revision));
  if (call.verb === "watch") {
    return initialEvents(call)
      ? watchFromThen(server, request, call, revision, user)
      : askServer(server, request, user);
  }
  const list = await listThen(server, request, call, revision, user);
  return call.verb === "get" && list.kind === "whole" && list.status === 200
    ? onlyItem(list, server, request, user)
    : list;
}

function initialEvents({ query }: Call): boolean {
  return query.get("sendInitialEvents") === "true" || query.get("resourceVersion") === "0";
}

function listThen(
  server: ApiServer,
  request: TransportRequest,
  call: Call,
  revision: number,
  user: string,
): Promise<Answer> {
  const query = new URLSearchParams(call.query);
  for (const name of ["watch", "sendInitialEvents", "allowWatchBookmarks", "timeoutSeconds"]) query.delete(name);
  query.set("resourceVersion", String(revision));
  query.set("resourceVersionMatch", "Exact");
  let [path = ""] = request.path.split("?");
  if (call.verb === "get") {
    path = path.slice(0, path.lastIndexOf("/"));
    query.set("fieldSelector", `metadata.name=${call.name}`);
  }
  return askServer(server, { ...request, path: `${path}?${query.toString()}` }, user);
}

function parsed(answer: Answer): JsonObject {
  const value: Json = answer.kind === "whole" ? (JSON.parse(answer.body.toString()) as Json) : null;
  return isObject(value) ? value : {};
}

function items(list: JsonObject): JsonObject[] {
  const kind = String(list["kind"]).replace(/List$/, "");
  const all = Array.isArray(list["items"]) ? list["items"] : [];
  return all.filter(isObject).map((item) => ({ kind, apiVersion: list["apiVersion"] ?? "", ...item }));
}

/** The one object of a list of one; where there is none, whatever the server says about an object that is not there. */
function onlyItem(list: Answer, server: ApiServer, request: TransportRequest, user: string): Answer | Promise<Answer> {
  const [item] = items(parsed(list));
  if (item === undefined) return askServer(server, request, user);
  return { ...list, kind: "whole", body: Buffer.from(`${JSON.stringify(item)}\n`) };
}

async function watchFromThen(
  server: ApiServer,
  request: TransportRequest,
  call: Call,
  revision: number,
  user: string,
): Promise<Answer> {
  const list = await listThen(server, request, call, revision, user);
  if (list.kind !== "whole" || list.status !== 200) return list;
  const query = new URLSearchParams(call.query);
  for (const name of ["sendInitialEvents", "resourceVersionMatch"]) query.delete(name);
  query.set("resourceVersion", String(revision));
  const later = await askServer(
    server,
    { ...request, path: `${request.path.split("?")[0]}?${query.toString()}` },
    user,
  );
  if (later.kind !== "stream") return later;
  const body = parsed(list);
  const frames = items(body).map((object) => frame("ADDED", object));
  if (call.query.get("sendInitialEvents") === "true") frames.push(frame("BOOKMARK", endMark(body, revision)));
  return {
    ...later,
    start(write, end) {
      for (const bytes of frames) write(bytes);
      return later.start(write, end);
    },
  };
}

function endMark(list: JsonObject, revision: number): JsonObject {
  const annotations = { "k8s.io/initial-events-end": "true" };
  const kind = String(list["kind"]).replace(/List$/, "");
  return { kind, apiVersion: list["apiVersion"] ?? "", metadata: { resourceVersion: String(revision), annotations } };
}

function frame(type: string, object: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}
