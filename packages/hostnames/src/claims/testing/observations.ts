import type { Certificate } from "@gatewright/aws";
import { REASONS } from "../../reasons.ts";
import { DEFAULT_SETTINGS } from "../../settings.ts";
import { NO_ANSWERS } from "../answers.ts";
import type { Claim, Memory, Wish } from "../claim.ts";
import type { GatewayView, Observation } from "../observation.ts";

export const NOW = Date.UTC(2030, 0, 1, 12);
export const ARN = "arn:aws:acm:eu-west-1:123456789012:certificate/1";
export const HOSTNAME = "shop.example.com";
export const BALANCER = { dnsName: "gw-01.eu-west-1.elb.amazonaws.com", zoneId: "Z32O12XQLNTSW2", dualStack: false };
export const ATTACHED: GatewayView = {
  attached: true,
  loadBalancer: BALANCER,
  reason: REASONS.Attached,
  message: "it serves",
};
const PROOF = { name: `_proof.${HOSTNAME}`, value: "x.acm-validations.aws" };
export const OWN_TAGS = new Map([
  ["managed-by", "gatewright"],
  ["gatewright.dev/cluster", "default"],
]);

/** A claim of namespace `shop`. */
export function claimOf(wish: Partial<Wish> = {}, status: Claim["status"] = { conditions: [] }): Claim {
  return {
    apiVersion: "gateway.opendi.com/v1alpha1",
    kind: "DomainClaim",
    metadata: { name: HOSTNAME, uid: "uid-1", generation: 1, resourceVersion: "1" },
    spec: {
      zoneId: "Z1",
      hostname: HOSTNAME,
      ownerRef: { namespace: "shop", name: "web", uid: "request-1" },
      wish: {
        visibility: "internet-facing",
        gatewayClass: "aws-alb",
        namespaces: ["shop"],
        deletionPolicy: "Delete",
        ...wish,
      },
    },
    status,
  };
}

/** A certificate for the hostname alone, issued unless said otherwise. */
export function certificateOf(more: Partial<Certificate> = {}): Certificate {
  return {
    arn: ARN,
    status: "ISSUED",
    type: "AMAZON_ISSUED",
    names: [HOSTNAME],
    inUse: false,
    tags: OWN_TAGS,
    validations: [{ name: HOSTNAME, status: "PENDING_VALIDATION", record: PROOF }],
    ...more,
  };
}

/** What is seen of a claim that has all that it needs; tests say what is otherwise. */
export function seeing(more: Partial<Observation> & { readonly wish?: Partial<Wish> } = {}): Observation {
  const { wish, ...rest } = more;
  const memory: Memory = more.memory ?? {
    claimedAt: "2030-01-01T00:00:00Z",
    certificate: { arn: ARN },
    gateway: "gw-01",
    loadBalancer: BALANCER,
    records: [{ name: HOSTNAME, type: "A", alias: aliasOf(), purpose: "alias" }],
  };
  return {
    claim: claimOf(wish),
    memory,
    settings: DEFAULT_SETTINGS,
    now: NOW,
    answers: NO_ANSWERS,
    certificate: memory.certificate?.arn === undefined ? undefined : certificateOf(),
    coming: undefined,
    given: undefined,
    sources: undefined,
    lost: [],
    place: { state: "stays" },
    gateway: ATTACHED,
    published: () => true,
    drifted: new Map(),
    canInspect: false,
    held: false,
    carrying: new Map(),
    listening: false,
    neededByOthers: new Set(),
    ...rest,
  };
}

export function aliasOf(dnsName: string = BALANCER.dnsName) {
  return { dnsName, zoneId: BALANCER.zoneId, evaluateTargetHealth: true };
}
