import type { Clock, Random } from "@gatewright/ports";
import type { Authorizer } from "../auth/authorizer.ts";
import type { UserInfo } from "../auth/user.ts";
import type { ApiRequest } from "../http/api-request.ts";
import type { ResourceRegistry } from "../resources/registry.ts";
import type { Resource, ServedVersion } from "../resources/resource.ts";
import type { Store, Table } from "../store/store.ts";
import type { WriteCall } from "../writer/write-call.ts";
import type { WriterDeps } from "../writer/writer.ts";
import type { Forgiving } from "./forgiving.ts";
import type { ResourceRequest } from "./request-info.ts";
import type { Warnings } from "./warnings.ts";
import type { WriteOptions } from "./write-options.ts";

/** A request about a resource that is served, by a user who may make it. */
export interface ResourceCall {
  readonly request: ApiRequest;
  readonly info: ResourceRequest;
  readonly resource: Resource;
  readonly version: ServedVersion;
  readonly user: UserInfo;
  readonly warnings: Warnings;
  readonly deps: HandlerDeps;
}

export interface HandlerDeps {
  readonly store: Store;
  readonly resources: ResourceRegistry;
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: WriterDeps;
  /** Aborts when the server stops: streams end then, so that clients come back to the next one. */
  readonly stopping: AbortSignal;
  readonly forgiving: Forgiving;
  /** For rights that only show to be needed on the way. */
  readonly authorizer: Authorizer;
}

export function tableOf(call: ResourceCall): Table {
  return call.deps.store.table(call.resource.table);
}

/** The same call as the writer wants it. */
export function writeCall(call: ResourceCall, options: WriteOptions): WriteCall {
  return {
    resource: call.resource,
    version: call.version,
    namespace: call.info.namespace,
    user: call.user,
    dryRun: options.dryRun,
    fieldManager: options.fieldManager,
    options: options.asJson,
    warn: (text) => call.warnings.add(text),
  };
}
