import type { ResourceDefinition } from "@gatewright/kube/define";
import { Application } from "./application.ts";
import { DomainClaim } from "./domain-claim.ts";

/** Every kind of ours: what manifests, reference pages and tests are made from. */
export const allResources: readonly ResourceDefinition[] = [Application, DomainClaim];
