import {
  StatusError,
  badRequest,
  internalError,
  methodNotAllowed,
  parseGoDuration,
  quote,
  statusJson,
} from "@gatewright/kube";
import { uuid } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import { accessForbidden, impersonate } from "./auth/index.ts";
import type { AccessAttributes, Authenticator, Authorizer, UserInfo } from "./auth/index.ts";
import { encoded, pageNotFound, unknownResource } from "./handlers/encode.ts";
import { errorRepresentation } from "./handlers/negotiate.ts";
import { requestInfo } from "./handlers/request-info.ts";
import type { PathRequest, ResourceRequest } from "./handlers/request-info.ts";
import type { HandlerDeps } from "./handlers/resource-call.ts";
import { handleResource } from "./handlers/resource-handler.ts";
import { pinnedName } from "./handlers/selection.ts";
import { Warnings } from "./handlers/warnings.ts";
import { anonymous } from "./auth/user.ts";
import type { PathAccess } from "./extra-paths.ts";
import type { ApiHandler, ApiRequest, ApiResponse } from "./http/api-request.ts";
import type { ResourceRegistry } from "./resources/registry.ts";

/** Answers a plain path (discovery, health, OpenAPI), or undefined where it has nothing to say. */
export type PathHandler = (
  request: ApiRequest,
  path: string,
  user: UserInfo,
) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

export interface RouteDeps {
  readonly resources: ResourceRegistry;
  readonly handlers: HandlerDeps;
  readonly random: Random;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  /** Throws 403 for requests that a browser was tricked into. */
  guard(request: ApiRequest): void;
  readonly paths: readonly PathHandler[];
  /** Who may have a path that is no resource. */
  pathAccess(path: string): PathAccess;
  /** Hears of errors that are ours and not the client's. */
  onFault(error: unknown): void;
}

/** The server as one function: who are you, may you, what is it, answer. Never rejects. */
export function createRouter(deps: RouteDeps): ApiHandler {
  return async (request) => {
    const warnings = new Warnings();
    let response: ApiResponse;
    try {
      response = await route(deps, request, warnings);
    } catch (error) {
      response = await failure(deps, request, error);
    }
    const told = warnings.headerValues();
    return {
      status: response.status,
      headers: {
        "audit-id": uuid(deps.random),
        "cache-control": "no-cache, private",
        ...response.headers,
        ...(told.length > 0 && { warning: told }),
      },
      body: response.body,
      ...(response.upgrade && { upgrade: response.upgrade }),
    };
  };
}

async function route(deps: RouteDeps, request: ApiRequest, warnings: Warnings): Promise<ApiResponse> {
  deps.guard(request);
  const info = requestInfo(request.method, request.path, request.query);
  const open = info.type === "path" && request.method === "GET" ? deps.pathAccess(info.path) : "rule";
  if (info.type === "path" && open === "anybody") return answerPath(deps, request, info, anonymous);
  const caller = accessOf(request, info, deps.authenticator.authenticate(request));
  const user = impersonate(request, caller, deps.authorizer);
  const access = { ...caller, user };
  const decision = open === "users" ? ALLOWED : deps.authorizer.authorize(access);
  if (!decision.allowed) throw accessForbidden(access, decision.reason);
  if (!isLong(info)) checkTimeout(request.query);
  if (info.type === "path") return answerPath(deps, request, info, user);
  const served = deps.resources.served(info.group, info.version, info.resource);
  if (!served) return nothingServed(deps, info);
  if (
    !served.resource.namespaced &&
    info.namespace !== "" &&
    (info.resource !== "namespaces" || info.namespace !== info.name)
  ) {
    return nothingServed(deps, info);
  }
  const scoped = served.resource.namespaced ? info : { ...info, namespace: "" };
  return handleResource({ request, info: scoped, ...served, user, warnings, deps: deps.handlers });
}

/** What is behind the path looks at the user's rights itself. */
const ALLOWED = { allowed: true, reason: "" };

/** Subresources that are connections to pods: they last, and their queries may be meant for somebody else. */
const CONNECTIONS: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

function isLong(info: ResourceRequest | PathRequest): boolean {
  return info.verb === "watch" || (info.type === "resource" && CONNECTIONS.has(info.subresource));
}

/** Requests are answered long before any time-out that clients ask for; one that is none is still refused. */
function checkTimeout(query: URLSearchParams): void {
  const timeout = query.get("timeout") ?? "";
  if (timeout === "" || parseGoDuration(timeout) !== undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${quote(timeout)}`);
}

/** What a request wants to do, as authorization sees it. */
function accessOf(request: ApiRequest, info: ResourceRequest | PathRequest, user: UserInfo): AccessAttributes {
  if (info.type === "path") return { user, verb: info.verb, path: info.path };
  const { group, version, resource, subresource, namespace } = info;
  const name = selectsByFields(info) ? pinnedName(request.query.get("fieldSelector") ?? "") : info.name;
  return { user, verb: info.verb, resource: { group, version, resource, subresource, namespace, name } };
}

/**
 * A list or a watch that names one object is about that object. Whatever else has no name in its URL is about none, whatever it
 * says of fields: a create does not look at them. The `/watch/` prefix pins nothing on the real server either.
 */
function selectsByFields({ name, verb, watchPrefix }: ResourceRequest): boolean {
  return name === "" && !watchPrefix && (verb === "list" || verb === "watch");
}

/** Groups that are built in know what they do not have; others are paths like any other. */
function nothingServed(deps: RouteDeps, { group }: { readonly group: string }): ApiResponse {
  for (const resource of deps.resources.all()) {
    if (resource.group === group && !resource.custom) throw unknownResource();
  }
  return pageNotFound();
}

async function answerPath(
  deps: RouteDeps,
  request: ApiRequest,
  { path }: PathRequest,
  user: UserInfo,
): Promise<ApiResponse> {
  for (const handler of deps.paths) {
    const answer = await handler(request, path, user);
    if (!answer) continue;
    if (request.method !== "GET" && !ANY_METHOD.test(path)) throw methodNotAllowed();
    return answer;
  }
  const [, root, group = ""] = path.split("/");
  if (root === "version" || root === "api") throw unknownResource();
  return root === "apis" ? nothingServed(deps, { group }) : pageNotFound();
}

/** Paths that the real server answers whatever the method. */
const ANY_METHOD = /^\/(?:healthz|livez|readyz|openapi)(?:\/|$)|^\/apis(?:\/[^/]+)?\/?$/;

async function failure(deps: RouteDeps, request: ApiRequest, error: unknown): Promise<ApiResponse> {
  const known = error instanceof StatusError;
  if (!known) deps.onFault(error);
  const status = known ? error : internalError("an unexpected error, told in the server's log", error);
  const retry = status.details?.retryAfterSeconds;
  const answer = await encoded(status.code, statusJson(status.toStatus()), errorRepresentation(request));
  return retry === undefined ? answer : { ...answer, headers: { ...answer.headers, "retry-after": String(retry) } };
}
