import { OBJECT_KINDS } from "@gatewright/gateway";
import type { ApiObject } from "@gatewright/kube";
import { networking } from "@gatewright/kube/api";
import { validating } from "@gatewright/runtime/webhook";
import type { ValidatingDefinition, Webhook } from "@gatewright/runtime/webhook";
import { RESOURCES } from "../feed/feed-source.ts";
import type { SourceRef } from "../model/deliverable.ts";

/** Which Ingresses are asked about. */
export interface AskedIngresses {
  /** CEL. */
  readonly matching: string;
}

/** The webhooks of routing: one for each of the six kinds, at `/validate-avapigw-io-v1alpha1-apiroute` and the like, and Ingresses'. */
export function webhooksOf(
  ingresses: AskedIngresses | undefined,
  handler: (kind: SourceRef["kind"]) => ValidatingDefinition<ApiObject>["handle"],
): readonly Webhook[] {
  const kinds = OBJECT_KINDS.map((kind) =>
    validating({ for: RESOURCES[kind], name: `v${kind.toLowerCase()}.avapigw.io`, handle: handler(kind) }),
  );
  if (ingresses === undefined) return kinds;
  const matchConditions = [{ name: "of-our-class", expression: ingresses.matching }];
  const scope = { for: networking.Ingress, name: "vingress.avapigw.io", matchConditions };
  return [...kinds, validating<ApiObject>({ ...scope, handle: handler("Ingress") })];
}
