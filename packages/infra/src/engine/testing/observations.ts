import type { Immutable } from "@gatewright/kube";
import type { Managed } from "../aws-kind.ts";
import type { Comparison, Difference } from "../compare.ts";
import type { Decision } from "../decision.ts";
import type { Memory } from "../memory.ts";
import type { Observation, ResourceView } from "../observation.ts";
import type { Session } from "../session.ts";
import { wasInSync } from "../was-in-sync.ts";

type Present = Extract<ResourceView, { is: "present" }>;
type Absent = Extract<ResourceView, { is: "absent" }>;

export const SESSION: Session = {
  key: "s",
  // Nothing that is decided asks AWS.
  aws: {} as Session["aws"],
  account: "111111111111",
  region: "eu-west-1",
  partition: "aws",
  defaultTags: {},
};

/** A resource that is made and known, as a status remembers it. */
export const MADE: Memory = {
  resource: { id: "orders", ownership: "Created", fields: ["size"] },
  accountID: "111111111111",
  region: "eu-west-1",
  lastSyncTime: "2030-01-01T00:00:00Z",
};

/** The creation is decided. */
export const INTENDED: Memory = {
  ...MADE,
  pending: { operation: "Create", token: "uid-1-0", since: "2030-01-01T00:00:00Z" },
};

export const difference = (path: string, more: Partial<Difference> = {}): Difference => ({
  path,
  change: "in-place",
  want: 2,
  have: 1,
  secret: false,
  ...more,
});

export function comparisonOf(...differences: readonly Difference[]): Comparison {
  return { differences, declared: ["size"], versions: {}, wanted: new Map([["size", 2]]) };
}

/** A resource that is the object's, as its spec says, and was read in this run. */
export function present(more: Partial<Present> = {}): Present {
  return {
    is: "present",
    id: "orders",
    fresh: true,
    state: { is: "ready" },
    own: true,
    owner: "shop/orders of cluster c",
    ownerLives: false,
    believedInMs: 0,
    comparison: comparisonOf(),
    tags: undefined,
    ownerTags: ["managed-by", "gatewright.dev/uid"],
    replacement: undefined,
    ...more,
  };
}

/** AWS says that there is none, and that is believed. */
export function absent(more: Partial<Absent> = {}): Absent {
  const recreation = { hash: "plan", changes: [], approved: false };
  return { is: "absent", id: "orders", fresh: true, believedInMs: 0, recreation, why: undefined, ...more };
}

export function objectOf(
  spec: Partial<Managed["spec"]> = {},
  more: {
    readonly annotations?: Record<string, string>;
    readonly status?: Partial<NonNullable<Managed["status"]>>;
  } = {},
): Immutable<Managed> {
  return {
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "SQSQueue",
    metadata: {
      namespace: "shop",
      name: "orders",
      uid: "uid-1",
      generation: 1,
      ...(more.annotations !== undefined && { annotations: more.annotations }),
    },
    spec: { providerRef: { name: "aws" }, deletionPolicy: "Delete", ...spec },
    status: { conditions: [], ...more.status },
  };
}

/** Conditions by which everything was as the spec says. */
export const WAS_IN_SYNC = {
  conditions: [
    {
      type: "Synced",
      status: "True" as const,
      reason: "InSync",
      message: "",
      observedGeneration: 1,
      lastTransitionTime: "2030-01-01T00:00:00Z",
    },
  ],
};

/** An object whose resource is made and as it should be, but for what is said. */
export function seeing(more: Partial<Observation> = {}): Observation {
  return {
    object: objectOf(),
    memory: MADE,
    now: Date.UTC(2030, 0, 1),
    holdsData: false,
    canFind: false,
    session: { session: SESSION },
    providerUnchecked: false,
    providerGone: false,
    given: { given: { value: () => undefined, version: () => undefined } },
    declared: ["size"],
    versions: {},
    name: "orders",
    rival: undefined,
    wasInSync: more.object !== undefined && wasInSync(more.object),
    resource: present(),
    creationUnclearMs: 0,
    untried: false,
    removed: false,
    lookAgainMs: 1_000,
    loops: { paths: [], waitMs: 0 },
    paced: { paths: new Set(), waitMs: 0 },
    users: [],
    answers: {},
    ...more,
  };
}

/** A decision in a few words: `ask create`, `rest Ready=False Conflict`, `remember pending=Create`. */
export function textOf(decision: Decision): string {
  switch (decision.kind) {
    case "ask":
      return `ask ${decision.effect.type}`;
    case "rest": {
      const { ready, synced = "False", reason } = decision.fact;
      return `rest ${reason.reason} ready=${ready ?? "kept"} synced=${synced}`;
    }
    case "remember": {
      const { pending, resource, plan, drift, replacements } = decision.memory;
      const said = [
        pending && `pending=${pending.operation} ${pending.token}`,
        resource && `${resource.ownership} ${resource.id} [${(resource.fields ?? []).join(" ")}]`,
        plan && `plan=${plan.action}`,
        drift && `drift=${drift.map(({ field }) => field).join(" ")}`,
        replacements !== undefined && `replacements=${replacements}`,
      ];
      return `remember ${said.filter((each) => typeof each === "string").join(", ")}`;
    }
    case "wait":
      return "wait";
    case "gone":
      return `gone ${decision.why}`;
  }
}
