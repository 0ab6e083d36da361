import type { Right } from "./rights.ts";

/** Why the operator has a right that the story may not use. */
interface Reason {
  readonly why: string;
  /** Whether the story never uses it, or does when the moment is right. */
  readonly uses: "never" | "sometimes";
}

const REASONS: readonly (readonly [rights: RegExp, reason: Reason])[] = [
  [
    /\/finalizers update$/u,
    {
      why: "clusters that enforce who may block a deletion (OwnerReferencesPermissionEnforcement) ask for it; this one does not",
      uses: "never",
    },
  ],
  [
    / list$/u,
    {
      why: "what is watched is listed when a watch cannot begin with what is there, or has expired: it shows no more than the watch",
      uses: "sometimes",
    },
  ],
  [
    /\S get$/u,
    {
      why: "what is watched, or written, is looked at before what cannot be undone, and when the cache is behind: it shows no more than the watch",
      uses: "sometimes",
    },
  ],
  [
    /^\* events\.k8s\.io\/events patch$/u,
    { why: "an event that comes again is counted in the one that is there", uses: "sometimes" },
  ],
  [
    /(?:connectedgateways|leases) (?:delete|deletecollection)$/u,
    { why: "what a replica left behind is removed by another, or by itself when it ends in peace", uses: "sometimes" },
  ],
];

/** Why a right is there though the story may not use it; undefined: there is no reason. */
export function reasonFor(right: Right): Reason | undefined {
  return REASONS.find(([rights]) => rights.test(right))?.[1];
}
