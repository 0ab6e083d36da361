import { DEFAULT_SETTINGS } from "../settings.ts";

/** What the generated policies depend on. */
export interface PolicySettings {
  /** Where the pool's Gateways are. */
  readonly edgeNamespace: string;
  /**
   * What is held to grants. `pool`: what attaches to Gateways and ListenerSets of the edge namespace. `all`: routes to any Gateway,
   * and the listeners of all Gateways and ListenerSets.
   */
  readonly scope: "pool" | "all";
  /** Who is the operator, and who may do what it does: the only ones that write in the edge namespace, claims, and its grants. */
  readonly writers: { readonly users: readonly string[]; readonly groups: readonly string[] };
}

export const DEFAULT_POLICY_SETTINGS: PolicySettings = {
  edgeNamespace: DEFAULT_SETTINGS.edgeNamespace,
  scope: "pool",
  writers: { users: ["system:serviceaccount:gatewright:gatewright"], groups: ["system:masters"] },
};

/** On namespaces that have hostnames, with this value. Who sets it by hand gains nothing: what is missing then is the grant. */
export const GRANTED_LABEL = { key: "gateway.opendi.com/hostnames", value: "granted" } as const;

/** The one grant of a namespace that counts: the operator's. */
export const GRANT_NAME = "hostnames";
