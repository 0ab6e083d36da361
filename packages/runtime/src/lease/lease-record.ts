import { deepClone, formatMicroTime, isObject, parseTime } from "@gatewright/kube";
import type { JsonObject } from "@gatewright/kube";

/** What a lease says about who holds it. */
export interface LeaseSpec {
  /** Empty: nobody. */
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly leaseTransitions: number;
}

/** A lease as the server has it. */
export interface StoredLease {
  readonly spec: LeaseSpec;
  readonly resourceVersion: string;
  /** All of it, so that writing it back keeps what others put there. */
  readonly raw: JsonObject;
}

/** Reads a Lease object leniently: fields that are missing or wrong count as empty. Undefined when it is no lease at all. */
export function readLease(value: unknown): StoredLease | undefined {
  if (!isObject(value) || value["kind"] !== "Lease" || !isObject(value["metadata"])) return undefined;
  const { resourceVersion } = value["metadata"];
  if (typeof resourceVersion !== "string") return undefined;
  const spec = isObject(value["spec"]) ? value["spec"] : {};
  const text = (key: keyof LeaseSpec): string => (typeof spec[key] === "string" ? spec[key] : "");
  const number = (key: keyof LeaseSpec): number => (typeof spec[key] === "number" ? spec[key] : 0);
  return {
    spec: {
      holderIdentity: text("holderIdentity"),
      leaseDurationSeconds: number("leaseDurationSeconds"),
      acquireTime: text("acquireTime"),
      renewTime: text("renewTime"),
      leaseTransitions: number("leaseTransitions"),
    },
    resourceVersion,
    raw: value,
  };
}

/** The body that writes `spec` over a lease, only if nobody wrote it meanwhile; or that creates it. */
export function leaseBody(
  ref: { readonly namespace: string; readonly name: string },
  spec: LeaseSpec,
  base: StoredLease | undefined,
): JsonObject {
  if (base === undefined) {
    return {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { namespace: ref.namespace, name: ref.name },
      spec: { ...spec },
    };
  }
  const body = deepClone(base.raw);
  if (isObject(body["metadata"])) delete body["metadata"]["managedFields"];
  body["spec"] = { ...(isObject(body["spec"]) ? body["spec"] : {}), ...spec };
  return body;
}

/** Whether two specs were written by the same request. */
export function sameSpec(a: LeaseSpec, b: LeaseSpec): boolean {
  return (
    a.holderIdentity === b.holderIdentity &&
    a.renewTime === b.renewTime &&
    a.acquireTime === b.acquireTime &&
    a.leaseTransitions === b.leaseTransitions &&
    a.leaseDurationSeconds === b.leaseDurationSeconds
  );
}

/**
 * The time to write as renewed: now, but always after the one that stands there, whatever the wall clock does. Others notice a
 * renewal by its time being another, so it must never be the same twice.
 */
export function renewTimeAfter(previous: string | undefined, wall: number): string {
  const last = previous === undefined || previous === "" ? undefined : parseTime(previous);
  return formatMicroTime(last !== undefined && last >= wall ? Math.floor(last) + 1 : wall);
}
