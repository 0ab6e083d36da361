import type { CertificateOrder, RecordChange } from "@gatewright/aws";
import type { Reason } from "../reasons.ts";
import type { Memory } from "./claim.ts";
import type { Step } from "./steps.ts";

/** Something to be asked of the server or of AWS. Each is safe to repeat, and to be cut off anywhere. What it brings is an answer. */
export type Effect =
  /** Who else claims the name, and whether the request is there: as the server has it now. */
  | { readonly type: "lookAround" }
  | { readonly type: "readZone" }
  | { readonly type: "requestCertificate"; readonly order: CertificateOrder }
  /** Patient: nothing waits for all name servers to have it. */
  | { readonly type: "changeRecord"; readonly key: string; readonly change: RecordChange; readonly patient?: boolean }
  /** Whether public DNS has what the certificate waits for. */
  | { readonly type: "inspect"; readonly record: { readonly name: string; readonly value: string } }
  /** Who else uses the certificate, or the request that it is of, as the server has it now. The ARN may not be known yet. */
  | { readonly type: "findUsers"; readonly arn: string }
  | { readonly type: "describeCertificate"; readonly arn: string }
  | { readonly type: "removeCertificate"; readonly arn: string };

/** How a claim stands, for people: which step is not done, or that all are. */
export interface Fact {
  readonly at: Step;
  /** Default: False. */
  readonly status?: "True" | "False" | "Unknown";
  readonly reason: Reason;
  readonly message: string;
  /** The claim is refused, and waiting alone does not help. */
  readonly denied?: boolean;
  /** The hostname is served all the same. */
  readonly serving?: boolean;
  /** The claim is being undone: steps before this one are not done because of it. */
  readonly undoing?: boolean;
}

/** What comes next for a claim. */
export type Decision =
  /** Nothing was done yet: the memory changes, and it is decided anew. Written before the next effect, or with the rest. */
  | { readonly kind: "remember"; readonly memory: Memory }
  /** The same, decided and written while no other claim decides about what the lock stands for. */
  | { readonly kind: "commit"; readonly lock: string; readonly memory: Memory }
  /** Asked for once the memory is written. `meanwhile` is what people are told. */
  | { readonly kind: "ask"; readonly effect: Effect; readonly meanwhile: Fact }
  /** Nothing to do until something changes, or until this time has passed. */
  | { readonly kind: "rest"; readonly fact: Fact; readonly afterMs?: number }
  /** Nothing is left of what was made for the claim. */
  | { readonly kind: "gone" };

export function remember(memory: Memory): Decision {
  return { kind: "remember", memory };
}

export function ask(effect: Effect, meanwhile: Fact): Decision {
  return { kind: "ask", effect, meanwhile };
}

export function rest(fact: Fact, afterMs?: number): Decision {
  return { kind: "rest", fact, ...(afterMs !== undefined && { afterMs }) };
}
