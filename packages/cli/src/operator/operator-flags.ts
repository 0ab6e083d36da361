import { DEFAULT_SETTINGS } from "@gatewright/hostnames";
import { PARTS } from "@gatewright/operator";
import { flag, flagsHelp } from "./flag.ts";
import type { Flags } from "./flag.ts";

const PROCESS = {
  parts: flag(PARTS.join(","), "GATEWRIGHT_PARTS", "what runs, with commas"),
  namespace: flag("gatewright", "POD_NAMESPACE", "the operator's own namespace"),
  "health-probe-bind-address": flag(":8081", "HEALTH_PROBE_BIND_ADDRESS", "/healthz and /readyz"),
  "metrics-bind-address": flag(":8080", "METRICS_BIND_ADDRESS", "/metrics; 0 for nowhere"),
  "leader-elect": flag("true", "LEADER_ELECT", "whether one replica leads"),
  "leader-election-id": flag("gatewright", "LEADER_ELECTION_ID", "the Lease's name"),
  "log-level": flag("info", "LOG_LEVEL", "debug, info, warn or error"),
  "log-format": flag("json", "LOG_FORMAT", "json or text"),
} as const satisfies Flags;

const AWS = {
  "cluster-name": flag(
    "",
    "CLUSTER_NAME",
    "in the tags of all that is made in AWS: another for each cluster of an account, and never changed; needed",
  ),
  "aws-region": flag("", "AWS_REGION", "of certificates and load balancers; needed by hostnames"),
  "aws-endpoint-url": flag("", "AWS_ENDPOINT_URL", "one URL for all services, for what is not AWS itself"),
} as const satisfies Flags;

const seconds = (ms: number): string => `${ms / 1000}s`;

const HOSTNAMES = {
  "edge-namespace": flag(DEFAULT_SETTINGS.edgeNamespace, "EDGE_NAMESPACE", "where the pool's Gateways are"),
  "allowed-domains": flag(
    "",
    "ALLOWED_DOMAINS",
    "domains in which hostnames may be, with commas; without any: all whose zones the account has",
  ),
  "gateway-aws-version": flag(
    "v1",
    "GATEWAY_AWS_VERSION",
    "of the kinds that the AWS Load Balancer Controller serves: v1 since 3.5, v1beta1 before",
  ),
  listeners: flag(
    DEFAULT_SETTINGS.listeners,
    "GATEWAY_LISTENERS",
    "where listeners are: on gateways, or in listener-sets",
  ),
  placement: flag(
    DEFAULT_SETTINGS.placement,
    "GATEWAY_PLACEMENT",
    "which Gateway takes a hostname: first-fit or consistent-hash",
  ),
  "gateway-limits": flag(
    "",
    "GATEWAY_LIMITS",
    "what a load balancer may have, where the account is not to be believed: some of certificates=25,rules=100,target-groups=100,headroom=5",
  ),
  "default-certificate-arn": flag("", "DEFAULT_CERTIFICATE_ARN", "for who asks for no known name; else the oldest"),
  "ssl-policy": flag(DEFAULT_SETTINGS.sslPolicy, "SSL_POLICY", "of HTTPS listeners"),
  "ip-address-type": flag(DEFAULT_SETTINGS.ipAddressType, "IP_ADDRESS_TYPE", "of load balancers: ipv4 or dualstack"),
  "target-type": flag(DEFAULT_SETTINGS.targetType, "TARGET_TYPE", "what is behind Services: ip (pods) or instance"),
  "names-per-certificate": flag(
    String(DEFAULT_SETTINGS.namesPerCertificate),
    "NAMES_PER_CERTIFICATE",
    "the account's quota",
  ),
  "bundle-window": flag(
    seconds(DEFAULT_SETTINGS.bundleMs),
    "BUNDLE_WINDOW",
    "for how long names that need a certificate are gathered",
  ),
  "flush-window": flag(
    seconds(DEFAULT_SETTINGS.flushMs),
    "FLUSH_WINDOW",
    "for how long changes of a Gateway are gathered into one write",
  ),
  "drain-window": flag(
    seconds(DEFAULT_SETTINGS.drainMs),
    "DRAIN_WINDOW",
    "for how long resolvers remember a name; and how long a new Gateway warms up in a move",
  ),
  "remove-empty-gateways-after": flag(
    "",
    "REMOVE_EMPTY_GATEWAYS_AFTER",
    "how long a Gateway without hostnames stays; without it: for good",
  ),
  "drift-mode": flag(
    DEFAULT_SETTINGS.drift,
    "DRIFT_MODE",
    "what happens to a record, certificate or Gateway that somebody else changed: repair or report",
  ),
  "deletion-brake": flag("50/10m", "DELETION_BRAKE", "more hostnames given up within that time wait for a person"),
  "orphan-window": flag(
    "1h",
    "ORPHAN_WINDOW",
    "how long a certificate of ours has to have no claim before it is removed",
  ),
  "dns-servers": flag(
    "",
    "DNS_SERVERS",
    "who is asked why a certificate is not issued, with commas; none for nobody; without it: as the pod asks",
  ),
  "other-regions": flag(
    "",
    "OTHER_REGIONS",
    "of the account, in which certificates rely on the same validation records, with commas",
  ),
} as const satisfies Flags;

const INFRA = {
  "provider-check-interval": flag("5m", "PROVIDER_CHECK_INTERVAL", "how often AWS is asked who an AWSProvider is"),
  "allowed-roles-file": flag(
    "",
    "ALLOWED_ROLES_FILE",
    "YAML or JSON: a list of { namespaces, roles, ownIdentity }; which roles, and whether the operator's identity, namespaces may use; without it: all",
  ),
  "trusted-endpoints": flag(
    "",
    "TRUSTED_ENDPOINTS",
    "endpoints that may be anywhere, and are shown the operator's own identity, with commas",
  ),
  "tenant-endpoints": flag("true", "TENANT_ENDPOINTS", "whether AWSProviders may name other endpoints at all"),
  "loopback-endpoints": flag("false", "LOOPBACK_ENDPOINTS", "whether those may be on this machine"),
  "session-tags": flag(
    "false",
    "SESSION_TAGS",
    "whether sessions of assumed roles carry tags; trust policies must allow sts:TagSession",
  ),
} as const satisfies Flags;

/** Named as users of the AVAPIGW operator know them, with ours among them. */
const ROUTING = {
  "grpc-port": flag("9444", "GRPC_PORT", "where gateways dial in, over mTLS"),
  "grpc-bind-identity": flag("true", "GRPC_BIND_IDENTITY", "a gateway's certificate must be in its name"),
  "enable-webhooks": flag("true", "ENABLE_WEBHOOKS", "whether API servers can ask"),
  "webhook-port": flag("9443", "WEBHOOK_PORT", "where they ask"),
  "webhook-config-name": flag("gatewright-routing", "WEBHOOK_CONFIG_NAME", "the configuration that gets our authority"),
  "cert-provider": flag("selfsigned", "CERT_PROVIDER", "selfsigned, vault, file or cert-manager"),
  "cert-secret-name": flag("gatewright-certificates", "CERT_SECRET_NAME", "selfsigned: the Secret with the authority"),
  "cert-service-name": flag("gatewright", "CERT_SERVICE_NAME", "the Service that gateways and API servers dial"),
  "cert-dns-names": flag("", "CERT_DNS_NAMES", "further names, with commas"),
  "cert-file": flag("", "CERT_FILE", "file and cert-manager: the certificate"),
  "key-file": flag("", "KEY_FILE", "and its key"),
  "ca-file": flag("", "CA_FILE", "and the authorities of gateways' certificates"),
  "vault-addr": flag("", "VAULT_ADDR", "vault: where it is"),
  "vault-pki-mount": flag("pki", "VAULT_PKI_MOUNT", "its PKI engine"),
  "vault-pki-role": flag("operator", "VAULT_PKI_ROLE", "the role there"),
  "vault-k8s-role": flag("", "VAULT_K8S_ROLE", "the role for the login"),
  "vault-k8s-mount-path": flag("kubernetes", "VAULT_K8S_MOUNT_PATH", "where the login is mounted"),
  gateways: flag(
    "",
    "GATEWRIGHT_GATEWAYS",
    "selfsigned: namespace/name of gateways that get certificates, with commas",
  ),
  "xds-port": flag("0", "XDS_PORT", "where Envoys ask, over mTLS, such as 18000; 0 for nowhere"),
  "push-to": flag("", "GATEWRIGHT_PUSH_TO", "host:port of gateways that are pushed to, with commas"),
  "enable-ingress-controller": flag("true", "ENABLE_INGRESS_CONTROLLER", "whether Ingresses are served"),
  "ingress-class-name": flag("avapigw", "INGRESS_CLASS_NAME", "of which class"),
  "ingress-lb-address": flag("", "INGRESS_LB_ADDRESS", "what their status says, with commas"),
  "cross-namespace": flag(
    "grant",
    "CROSS_NAMESPACE",
    "Services of other namespaces: grant (by ReferenceGrant) or allow",
  ),
  "missing-backends": flag("warn", "MISSING_BACKENDS", "destinations that are nowhere: warn or refuse"),
} as const satisfies Flags;

const CONSOLE = {
  "console-bind-address": flag(
    "0",
    "CONSOLE_BIND_ADDRESS",
    "where the web console is, such as 127.0.0.1:9445 (kubectl port-forward reaches it); 0 for nowhere",
  ),
  "console-hosts": flag(
    "",
    "CONSOLE_HOSTS",
    "names that it is reached by, with commas; requests for others are refused; without any: all",
  ),
  "console-cert-file": flag("", "CONSOLE_CERT_FILE", "its certificate, needed where it is not on this machine alone"),
  "console-key-file": flag("", "CONSOLE_KEY_FILE", "and its key"),
} as const satisfies Flags;

/** All flags, by what they are about. */
const TOPICS: readonly { readonly about: string; readonly flags: Flags }[] = [
  { about: "The process", flags: PROCESS },
  { about: "AWS, for hostnames and infra", flags: AWS },
  { about: "hostnames", flags: HOSTNAMES },
  { about: "infra: AWS resources", flags: INFRA },
  { about: "routing", flags: ROUTING },
  { about: "The web console", flags: CONSOLE },
];

export const OPERATOR_FLAGS = { ...PROCESS, ...AWS, ...HOSTNAMES, ...INFRA, ...ROUTING, ...CONSOLE };

export type OperatorFlag = keyof typeof OPERATOR_FLAGS;

export const OPERATOR_HELP = `Usage: gatewright operator [OPTIONS]

Runs controllers against a cluster until it is interrupted. Each option can be given by the environment, too; the command line wins.

${TOPICS.map(({ about, flags }) => `${about}:\n\n${flagsHelp(flags)}`).join("\n\n")}

Which cluster:

  --kubeconfig FILE, --context NAME
        default: as kubectl finds them, or the cluster that the pod is in

Who it is in AWS is said by the variables that AWS's own SDKs know: AWS_ACCESS_KEY_ID and the rest, AWS_WEB_IDENTITY_TOKEN_FILE and
AWS_ROLE_ARN (IRSA), AWS_CONTAINER_CREDENTIALS_FULL_URI (EKS Pod Identity). Traces go where OTEL_EXPORTER_OTLP_ENDPOINT says.
`;
