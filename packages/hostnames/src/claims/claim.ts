import type { RecordSet } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { DomainClaim } from "@gatewright/resources";

export type Claim = Immutable<DomainClaim>;
export type Wish = NonNullable<Claim["spec"]["wish"]>;
type Status = NonNullable<Claim["status"]>;
export type Conditions = NonNullable<Status["conditions"]>;

/** What a claim remembers of what was made for it: its status, but for what the status says to people. */
export type Memory = Omit<Status, "conditions" | "observedGeneration">;
export type CertificateMemory = NonNullable<Memory["certificate"]>;
export type CertificateRequest = NonNullable<CertificateMemory["request"]>;
export type ClaimRecord = NonNullable<Memory["records"]>[number];
export type LoadBalancer = NonNullable<Memory["loadBalancer"]>;
export type ReleaseStep = NonNullable<Memory["released"]>["step"];

export function memoryOf({ status = {} }: Claim): Memory {
  const { conditions: _conditions, observedGeneration: _generation, ...memory } = status;
  return memory;
}

/** The memory with some of it changed. What is undefined is forgotten. */
export function remembering(memory: Memory, changes: { readonly [K in keyof Memory]?: Memory[K] | undefined }): Memory {
  const next = { ...memory, ...changes };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined));
}

/** A record of the memory as zones know records. */
export function recordSet({ purpose: _purpose, ...record }: ClaimRecord): RecordSet {
  return record;
}

export function recordsOf(memory: Memory, purpose: ClaimRecord["purpose"]): readonly ClaimRecord[] {
  return (memory.records ?? []).filter((record) => record.purpose === purpose);
}

/** What a claim asks for; claims that were written without a wish ask for what requests ask for by default. */
export function wishOf({ spec }: Claim): Wish {
  return (
    spec.wish ?? {
      visibility: "internet-facing",
      gatewayClass: "aws-alb",
      namespaces: [spec.ownerRef.namespace],
      deletionPolicy: "Delete",
    }
  );
}

/** Every claim is the one of its name; what zones and certificates tell its owner goes by it. */
export function ownerOf({ metadata }: Claim): string {
  return metadata.name ?? "";
}

/** Whether another claim is there after this one, which is being undone. Of two that are undone at once exactly one is the last. */
export function staysLonger(other: Claim, claim: Claim): boolean {
  if (other.metadata.uid === claim.metadata.uid) return false;
  return other.status?.released === undefined || ownerOf(other) > ownerOf(claim);
}
