import { DEFAULT_SETTINGS } from "@gatewright/hostnames";
import { CALLED_OPERATIONS } from "@gatewright/infra";
import type { CalledOperation } from "@gatewright/infra";
import { PARTS } from "../part.ts";
import type { Part } from "../part.ts";

/** What a platform team decides before it installs: the operator must be run with the same. */
export interface InstallSettings {
  readonly parts: readonly Part[];
  /** The operator's own namespace. */
  readonly namespace: string;
  /** Of its service account. Roles are called so, too. */
  readonly account: string;
  /** The Lease of the replicas. */
  readonly lease: string;
  /** The Service that API servers and gateways dial. */
  readonly service: string;
  /** In the tags of all that is made in AWS. */
  readonly cluster: string;
  /** `aws`, `aws-cn` or `aws-us-gov`. */
  readonly partition: string;
  /** Ids of zones that hostnames may be in. Empty: all of the account. */
  readonly zones: readonly string[];
  /** ARNs of roles that AWSProviders may assume by the operator's own; `*` stands for anything. */
  readonly roles: readonly string[];
  /** Where the pool's Gateways are. */
  readonly edgeNamespace: string;
  readonly listeners: "gateways" | "listener-sets";
  /** What is held to grants of hostnames: what attaches to the pool, or routes and listeners of all Gateways. */
  readonly policyScope: "pool" | "all";
  /** The ValidatingWebhookConfiguration of routing. Undefined: API servers do not ask. */
  readonly webhookConfiguration: string | undefined;
  /** The class of Ingresses that are served. Undefined: none are. */
  readonly ingressClass: string | undefined;
  /** Namespaces of gateways whose certificates the operator makes. */
  readonly gatewayNamespaces: readonly string[];
  /** The operations that kinds of AWS resources call. */
  readonly called: ReadonlyMap<string, readonly CalledOperation[]>;
}

export const DEFAULT_INSTALL_SETTINGS: InstallSettings = {
  parts: PARTS,
  namespace: "gatewright",
  account: "gatewright",
  lease: "gatewright",
  service: "gatewright",
  cluster: DEFAULT_SETTINGS.cluster,
  partition: "aws",
  zones: [],
  roles: [],
  edgeNamespace: DEFAULT_SETTINGS.edgeNamespace,
  listeners: DEFAULT_SETTINGS.listeners,
  policyScope: "pool",
  webhookConfiguration: "gatewright-routing",
  ingressClass: "avapigw",
  gatewayNamespaces: [],
  called: CALLED_OPERATIONS,
};
