import type { Json } from "@gatewright/kube";
import type { WriteObserver } from "../cache/informer.ts";
import { impersonationHeaders } from "../transport/impersonation-headers.ts";
import { TransportError } from "../transport/transport-error.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";
import type { ClientView, WriteOptions } from "./client.ts";
import { queryString } from "./query.ts";
import type { QueryParameters } from "./query.ts";
import { readBody } from "./read-body.ts";
import { readRefusal } from "./refusal.ts";

/** One call of the API, before it is a request. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly query?: QueryParameters;
  readonly accept?: string;
  /** With a body. Default: JSON. */
  readonly contentType?: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** How the calls of one client are made: the manners that they share. */
export interface Caller {
  readonly view: ClientView & { readonly fieldManager: string };
  readonly observer: WriteObserver | undefined;
  /** Any request, with the client's own headers. Any answer is a response. */
  readonly request: Transport;
  /** Rejects with a StatusError unless the answer is 2xx; its body is not read yet. */
  send(call: Call): Promise<TransportResponse>;
  /** The JSON of a 2xx answer. Anything else that came with 2xx is malformed, never absent. */
  json(call: Call): Promise<Json>;
}

/** Makes calls over a transport with the manners of a view. */
export function createCaller(
  transport: Transport,
  view: Caller["view"],
  options: { readonly userAgent: string; readonly observer: WriteObserver | undefined },
): Caller {
  const own = {
    "user-agent": options.userAgent,
    ...(view.impersonate !== undefined && impersonationHeaders(view.impersonate)),
  };
  const request = async (request: TransportRequest): Promise<TransportResponse> => {
    request.signal?.throwIfAborted();
    return transport({ ...withDryRun(request, view), headers: { ...own, ...request.headers } });
  };
  const send = async (call: Call): Promise<TransportResponse> => {
    const sent = requestOf(call);
    const response = await request(sent);
    if (response.status >= 200 && response.status < 300) return response;
    throw await readRefusal(sent, response);
  };
  return {
    view,
    observer: options.observer,
    request,
    send,
    async json(call) {
      const text = await readBody(await send(call));
      try {
        return JSON.parse(text) as Json;
      } catch (error) {
        throw new TransportError("malformed", `${call.method} ${call.path}: the answer is not JSON`, { cause: error });
      }
    },
  };
}

/** Nothing that a view of dry runs lets through may be a real write, however it was asked for. */
function withDryRun(request: TransportRequest, { dryRun }: ClientView): TransportRequest {
  if (dryRun !== true || /^(?:GET|HEAD|OPTIONS)$/.test(request.method)) return request;
  if (/[?&]dryRun=All(?:&|$)/.test(request.path)) return request;
  return { ...request, path: `${request.path}${request.path.includes("?") ? "&" : "?"}dryRun=All` };
}

function requestOf(call: Call): TransportRequest {
  return {
    method: call.method,
    path: `${call.path}${queryString(call.query ?? {})}`,
    headers: {
      accept: call.accept ?? "application/json",
      ...(call.body !== undefined && { "content-type": call.contentType ?? "application/json" }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    ...(call.signal !== undefined && { signal: call.signal }),
  };
}

/** Whether a write with these options leaves everything as it is. */
export function isDryRun(caller: Caller, options: { readonly dryRun?: boolean }): boolean {
  return caller.view.dryRun === true || options.dryRun === true;
}

/** The parameters that all writes have. */
export function writeParameters(caller: Caller, options: WriteOptions): QueryParameters {
  return {
    fieldManager: options.fieldManager ?? caller.view.fieldManager,
    fieldValidation: options.fieldValidation ?? "Strict",
    dryRun: isDryRun(caller, options) ? "All" : undefined,
  };
}
