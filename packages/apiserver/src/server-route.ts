import { StatusError, internalError, methodNotAllowed, statusJson } from "@gatewright/kube";
import { uuid } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";
import type { UserInfo } from "./auth/user.ts";
import type { Authorizer } from "./auth/authorizer.ts";
import { pageNotFound, unknownResource } from "./handlers/encode.ts";
import { requestInfo } from "./handlers/request-info.ts";
import type { PathRequest, ResourceRequest } from "./handlers/request-info.ts";
import type { HandlerDeps } from "./handlers/resource-call.ts";
import { handleResource } from "./handlers/resource-handler.ts";
import { pinnedName } from "./handlers/selection.ts";
import { Warnings } from "./handlers/warnings.ts";
import type { ApiHandler, ApiRequest, ApiResponse } from "./http/api-request.ts";
import type { ResourceRegistry } from "./resources/registry.ts";

/** Answers a plain path (discovery, health, OpenAPI), or undefined where it has nothing to say. */
export type PathHandler = (request: ApiRequest, path: string) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

export interface RouteDeps {
  readonly resources: ResourceRegistry;
  readonly handlers: HandlerDeps;
  readonly random: Random;
  readonly authorizer: Authorizer;
  /** Who makes the request, after impersonation. Throws 401 or 403. */
  authenticate(request: ApiRequest): Promise<UserInfo>;
  /** Refuses requests that a browser was tricked into. */
  guard(request: ApiRequest): void;
  /** The 403 of a request that RBAC does not allow. */
  refusal(request: ResourceRequest | PathRequest, user: UserInfo, reason: string): StatusError;
  readonly paths: readonly PathHandler[];
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
      response = failure(deps, error);
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
    };
  };
}

async function route(deps: RouteDeps, request: ApiRequest, warnings: Warnings): Promise<ApiResponse> {
  deps.guard(request);
  const user = await deps.authenticate(request);
  const info = requestInfo(request.method, request.path, request.query);
  authorize(deps, request, info, user);
  if (info.type === "path") return answerPath(deps, request, info);
  const served = deps.resources.served(info.group, info.version, info.resource);
  if (!served) return nothingServed(deps, info);
  if (!served.resource.namespaced && info.namespace !== "" && info.resource !== "namespaces") return pageNotFound();
  const scoped = served.resource.namespaced ? info : { ...info, namespace: "" };
  return handleResource({ request, info: scoped, ...served, user, warnings, deps: deps.handlers });
}

/** Groups that are built in know what they do not have; others are paths like any other. */
function nothingServed(deps: RouteDeps, info: ResourceRequest): ApiResponse {
  for (const resource of deps.resources.all()) {
    if (resource.group === info.group && !resource.custom) throw unknownResource();
  }
  return pageNotFound();
}

function authorize(deps: RouteDeps, request: ApiRequest, info: ResourceRequest | PathRequest, user: UserInfo): void {
  const name = info.type === "resource" && info.name === "" ? pinnedName(request.query.get("fieldSelector") ?? "") : "";
  const decision = deps.authorizer.authorize(
    info.type === "path"
      ? { user, verb: info.verb, path: info.path }
      : {
          user,
          verb: info.verb,
          resource: {
            group: info.group,
            version: info.version,
            resource: info.resource,
            subresource: info.subresource,
            namespace: info.namespace,
            name: info.name === "" ? name : info.name,
          },
        },
  );
  if (!decision.allowed) throw deps.refusal(info, user, decision.reason);
}

async function answerPath(deps: RouteDeps, request: ApiRequest, info: PathRequest): Promise<ApiResponse> {
  for (const handler of deps.paths) {
    const answer = await handler(request, info.path);
    if (!answer) continue;
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
    return answer;
  }
  return pageNotFound();
}

function failure(deps: RouteDeps, error: unknown): ApiResponse {
  const known = error instanceof StatusError;
  if (!known) deps.onFault(error);
  const status = known ? error : internalError("an unexpected error, told in the server's log", error);
  const retry = status.details?.retryAfterSeconds;
  return {
    status: status.code,
    headers: {
      "content-type": "application/json",
      ...(retry !== undefined && { "retry-after": String(retry) }),
    },
    body: Buffer.from(`${JSON.stringify(statusJson(status.toStatus()))}\n`),
  };
}
