import type { Certificate, RecordSet } from "@gatewright/aws";
import type { Reason } from "../reasons.ts";
import type { HostnameSettings } from "../settings.ts";
import type { Answers } from "./answers.ts";
import type { CertificateRequest, Claim, LoadBalancer, Memory } from "./claim.ts";

/** A certificate as far as it is known. `unknown`: it is being looked for. */
export type Known = Certificate | "absent" | "unknown";

/** Where a claim without a certificate can get one. */
export interface CertificateSources {
  /** One that is there and covers the name. `unknown`: it is being looked for, and none may be requested. */
  readonly reusable: Certificate | "unknown" | undefined;
  /** The remembered request of another claim that has this name in it too. */
  readonly joinable: CertificateRequest | undefined;
  /** Names that wait for one together with this one; for strategies that share. */
  readonly gathered: { readonly names: readonly string[]; readonly waitMs: number } | undefined;
}

/** Which Gateway a claim belongs on. */
export type Place =
  | { readonly state: "stays" }
  | { readonly state: "goes"; readonly to: string }
  /** It stays, or cannot be placed, and the message says why. */
  | { readonly state: "refused"; readonly message: string };

/** What a claim needs to know of its Gateway. */
export interface GatewayView {
  readonly attached: boolean;
  /** It was attached and is being changed, perhaps for others: for so long that counts as attached. */
  readonly settlingMs?: number;
  readonly loadBalancer?: LoadBalancer;
  /** Why it is not attached. */
  readonly reason: Reason;
  readonly message: string;
}

/** All that a decision about a claim needs, read once. */
export interface Observation {
  readonly claim: Claim;
  /** What the claim remembers, changes of this run included. */
  readonly memory: Memory;
  readonly settings: HostnameSettings;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly answers: Answers;
  /** The certificate that the memory names. */
  readonly certificate: Known | undefined;
  /** The certificate that the remembered request has led to, when that is another. */
  readonly coming: Known | undefined;
  /** The certificate that the wish names. */
  readonly given: Known | undefined;
  /** While there is no certificate that serves. */
  readonly sources: CertificateSources | undefined;
  /** Names of the certificate that are not validated: no claim is there for them any more, or they hold this one up for long. */
  readonly lost: readonly string[];
  readonly place: Place | undefined;
  readonly gateway: GatewayView | undefined;
  /** Whether a record was remembered and known to be in the zone when this run began, and nobody has changed it since. */
  readonly published: (record: RecordSet) => boolean;
  /** Remembered records that the zone was read to have otherwise, or not at all. */
  readonly drifted: ReadonlyMap<string, RecordSet | undefined>;
  /** Whether public DNS can be asked. */
  readonly canInspect: boolean;
  /** Whether the deletion waits for a person's word. */
  readonly held: boolean;
  /** Certificates that need a name's validation record, by the names of remembered records; while the claim is undone. */
  readonly carrying: ReadonlyMap<string, readonly Certificate[] | "unknown">;
  /** Whether the Gateway still has a listener of this claim; while it is undone. */
  readonly listening: boolean;
  /** Whether another claim needs the name's validation record, by the names of remembered records; while the claim is undone. */
  readonly neededByOthers: ReadonlySet<string>;
}
