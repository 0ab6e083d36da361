import type { ObjectKind } from "@gatewright/gateway";
import type { ServiceUse } from "../draft.ts";
import type { FeedSettings } from "../feed-settings.ts";
import type { Problem } from "../problem.ts";
import type { Surroundings } from "../surroundings.ts";

/** One draft while its references are resolved. */
export interface Resolving {
  /** Of the object that refers; for Ingresses theirs, whatever the draft's kind. */
  readonly from: { readonly group: string; readonly kind: string };
  readonly kind: ObjectKind;
  readonly namespace: string;
  readonly around: Surroundings;
  readonly settings: FeedSettings;
  readonly problems: Problem[];
  readonly uses: ServiceUse[];
  /** Set when something is not known yet. */
  waiting: boolean;
}
