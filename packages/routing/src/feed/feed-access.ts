import { OBJECT_KINDS } from "@gatewright/gateway";
import { core, discovery } from "@gatewright/kube/api";
import { ReferenceGrant } from "@gatewright/resources";
import type { DeclaredAccess } from "@gatewright/runtime";
import { RESOURCES } from "./feed-source.ts";

/** What the feed and admission read: nothing is written. */
export const FEED_ACCESS: readonly DeclaredAccess[] = [
  ...OBJECT_KINDS.map((kind) => RESOURCES[kind]),
  core.Secret,
  core.ConfigMap,
  core.Service,
  discovery.EndpointSlice,
  ReferenceGrant,
].map((resource) => ({ for: resource }));
