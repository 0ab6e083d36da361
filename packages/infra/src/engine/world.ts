import type { Immutable } from "@gatewright/kube";
import type { Clock } from "@gatewright/ports";
import type { AWSProvider } from "@gatewright/resources";
import type { ReconcileContext } from "@gatewright/runtime";
import type { Outputs } from "../outputs/create-outputs.ts";
import type { SessionAnswer } from "../providers/session-for.ts";
import type { References } from "../references/create-references.ts";
import type { AnyKind, Managed } from "./aws-kind.ts";
import type { Book } from "./book.ts";
import type { Reads } from "./reads.ts";

export type Cached = ReconcileContext<Managed>["cached"];

/** What the engine of a kind stands on. */
export interface ManagedWorld {
  readonly kind: AnyKind;
  /** In the tags of resources: which cluster's they are. */
  readonly cluster: string;
  readonly clock: Clock;
  readonly book: Book;
  readonly reads: Reads;
  readonly references: Pick<References, "gather" | "usersOf">;
  readonly outputs: Pick<Outputs, "write">;
  readonly sessionFor: (cached: Cached, object: Immutable<Managed>) => SessionAnswer;
  /** Whether a provider has no session, ready or not. */
  readonly isUnopened: (provider: Immutable<AWSProvider>) => boolean;
}
