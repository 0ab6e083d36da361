/** What an account lets a load balancer have. Defaults: what it tells, and AWS's own until then. */
export interface GatewayLimits {
  /** Certificates besides the default one. */
  readonly certificates: number;
  readonly rules: number;
  readonly targetGroups: number;
  /** Rules and target groups that placement leaves free: routes may grow after their hostname was placed. */
  readonly headroom: number;
}

/** What the platform decides for all hostnames of a cluster. */
export interface HostnameSettings {
  /** Tells this cluster's certificates from those of others in the account. */
  readonly cluster: string;
  /** Where the pool's Gateways are. */
  readonly edgeNamespace: string;
  /** Domains in which hostnames may be. Empty: all whose zones the account has. */
  readonly allowedDomains: readonly string[];
  /** Where listeners are: on Gateways, where routes that name a Gateway find them, or in ListenerSets of the edge namespace. */
  readonly listeners: "gateways" | "listener-sets";
  /** Which Gateway takes a hostname: the first with room, or by a hash of the name, which moves few when Gateways come and go. */
  readonly placement: "first-fit" | "consistent-hash";
  readonly limits: GatewayLimits;
  /** Served to whoever asks for no known name. Undefined: the oldest certificate of the Gateway, for as long as it is there. */
  readonly defaultCertificateArn: string | undefined;
  readonly sslPolicy: string;
  readonly ipAddressType: "ipv4" | "dualstack";
  /** What stands behind Services that do not say it themselves. `ip`: their pods, so that they need no node ports. */
  readonly targetType: "ip" | "instance";
  /** Names that a certificate may have: an account's quota. */
  readonly namesPerCertificate: number;
  /** For how long names that need a certificate are gathered. */
  readonly bundleMs: number;
  /** For how long changes of a Gateway are gathered into one write. */
  readonly flushMs: number;
  /** How long a Gateway without hostnames stays. Undefined: for good. */
  readonly removeEmptyAfterMs: number | undefined;
  /** What happens to a record, certificate or Gateway that somebody else has changed. */
  readonly drift: "repair" | "report";
  /** More claims than this given up within the window wait for a person's word. */
  readonly brake: { readonly deletions: number; readonly windowMs: number };
  /** How long a certificate of ours has to have no claim before it is removed: those who requested it may only just come back. */
  readonly orphanMs: number;
  /** For how long names are remembered by resolvers after their records have gone; and how long a new Gateway warms up in a move. */
  readonly drainMs: number;
}

/** What certificates of a cluster are tagged with. Nothing without it is ever deleted. */
export const CLUSTER_TAG = "gatewright.dev/cluster";

export const DEFAULT_SETTINGS: HostnameSettings = {
  cluster: "default",
  edgeNamespace: "edge",
  allowedDomains: [],
  listeners: "gateways",
  placement: "first-fit",
  limits: { certificates: 25, rules: 100, targetGroups: 100, headroom: 5 },
  defaultCertificateArn: undefined,
  sslPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06",
  ipAddressType: "ipv4",
  targetType: "ip",
  namesPerCertificate: 10,
  bundleMs: 2_000,
  flushMs: 2_000,
  removeEmptyAfterMs: undefined,
  drift: "repair",
  brake: { deletions: 50, windowMs: 600_000 },
  orphanMs: 3_600_000,
  drainMs: 60_000,
};
