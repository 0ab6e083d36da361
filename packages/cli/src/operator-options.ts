import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { DEFAULT_ENVOY_SETTINGS, DEFAULT_FEED_SETTINGS } from "@gatewright/routing";
import type { CertifiedGateway, RoutingSettings } from "@gatewright/routing";
import { UsageError } from "./usage-error.ts";

/** What a flag is when neither the command line nor the environment says it, and what it is called there. */
interface Flag {
  readonly value: string;
  readonly env: string;
  readonly help: string;
}

const flag = (value: string, env: string, help: string): Flag => ({ value, env, help });

/** Named as users of the AVAPIGW operator know them, with ours among them. */
const FLAGS = {
  parts: flag("routing", "GATEWRIGHT_PARTS", "what runs: routing, applications"),
  namespace: flag("gatewright", "POD_NAMESPACE", "the operator's own namespace"),
  "health-probe-bind-address": flag(":8081", "HEALTH_PROBE_BIND_ADDRESS", "/healthz and /readyz"),
  "metrics-bind-address": flag(":8080", "METRICS_BIND_ADDRESS", "/metrics; 0 for nowhere"),
  "leader-elect": flag("true", "LEADER_ELECT", "whether one replica leads"),
  "leader-election-id": flag("gatewright", "LEADER_ELECTION_ID", "the Lease's name"),
  "log-level": flag("info", "LOG_LEVEL", "debug, info, warn or error"),
  "log-format": flag("json", "LOG_FORMAT", "json or text"),
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
} as const satisfies Readonly<Record<string, Flag>>;

type Name = keyof typeof FLAGS;

export const OPERATOR_HELP = `Usage: gatewright operator [OPTIONS]

Runs controllers against a cluster until it is interrupted. Each option can be given by the environment, too; the command line wins.

${Object.entries<Flag>(FLAGS)
  .map(
    ([name, { value, env, help }]) =>
      `  --${name} (${env})\n        ${help}${value === "" ? "" : `; default: ${value}`}`,
  )
  .join("\n")}
  --kubeconfig FILE, --context NAME
        default: as kubectl finds them, or the cluster that the pod is in
`;

export type CertificateOptions =
  | { readonly mode: "selfsigned"; readonly secret: string; readonly hosts: readonly string[] }
  | {
      readonly mode: "vault";
      readonly address: string;
      readonly mount: string;
      readonly role: string;
      readonly login: { readonly role: string; readonly mount: string };
      readonly hosts: readonly string[];
    }
  | {
      readonly mode: "file" | "cert-manager";
      readonly certificateFile: string;
      readonly keyFile: string;
      readonly authorityFile: string;
    };

/** What `gatewright operator` runs with. */
export interface OperatorOptions {
  readonly parts: readonly ("routing" | "applications")[];
  readonly namespace: string;
  readonly cluster: { readonly kubeconfig?: string; readonly context?: string };
  readonly health: { readonly host?: string; readonly port: number };
  readonly metrics: { readonly host?: string; readonly port: number } | undefined;
  readonly leads: boolean;
  readonly lease: string;
  readonly log: { readonly level: "debug" | "info" | "warn" | "error"; readonly format: "json" | "text" };
  readonly certificates: CertificateOptions;
  readonly webhookConfiguration: string;
  readonly gateways: readonly CertifiedGateway[];
  readonly routing: Partial<RoutingSettings> & Pick<RoutingSettings, "webhooks">;
}

/** Reads the command line and the environment. Throws a {@link UsageError} that says what to write. */
export function readOperatorOptions(args: readonly string[], env: NodeJS.ProcessEnv): OperatorOptions | "help" {
  const own = ["kubeconfig", "context"];
  const config: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const name of [...Object.keys(FLAGS), ...own]) config[name] = { type: "string" };
  let values: Readonly<Record<string, unknown>>;
  try {
    ({ values } = parseArgs({ args: [...args], options: config }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${OPERATOR_HELP}`);
  }
  if (values["help"] === true) return "help";
  const said = (name: Name): string => {
    const given = values[name];
    return typeof given === "string" ? given : (env[FLAGS[name].env] ?? FLAGS[name].value);
  };
  const { kubeconfig, context } = values;
  const webhooks = truth("enable-webhooks", said) ? { port: port("webhook-port", said) } : undefined;
  const className = said("ingress-class-name");
  const ingress = { className, isDefault: false, addresses: list("ingress-lb-address", said) };
  return {
    parts: list("parts", said).map((part) => oneOf("parts", part, ["routing", "applications"])),
    namespace: said("namespace"),
    cluster: {
      ...(typeof kubeconfig === "string" && { kubeconfig }),
      ...(typeof context === "string" && { context }),
    },
    health: address("health-probe-bind-address", said),
    metrics: said("metrics-bind-address") === "0" ? undefined : address("metrics-bind-address", said),
    leads: truth("leader-elect", said),
    lease: said("leader-election-id"),
    log: {
      level: oneOf("log-level", said("log-level"), ["debug", "info", "warn", "error"]),
      format: oneOf("log-format", said("log-format"), ["json", "text"]),
    },
    certificates: certificateOptions(said),
    webhookConfiguration: said("webhook-config-name"),
    gateways: list("gateways", said).map(gatewayName),
    routing: {
      webhooks,
      streamAddress: `0.0.0.0:${port("grpc-port", said)}`,
      bindsIdentity: truth("grpc-bind-identity", said),
      ingress: truth("enable-ingress-controller", said) ? ingress : undefined,
      xds:
        port("xds-port", said) === 0
          ? undefined
          : { address: `0.0.0.0:${port("xds-port", said)}`, envoy: DEFAULT_ENVOY_SETTINGS },
      pushed: list("push-to", said).map((each) => ({ address: each })),
      feed: {
        ...DEFAULT_FEED_SETTINGS,
        crossNamespace: oneOf("cross-namespace", said("cross-namespace"), ["grant", "allow"]),
        missingBackends: oneOf("missing-backends", said("missing-backends"), ["warn", "refuse"]),
      },
    },
  };
}

type Said = (name: Name) => string;

function certificateOptions(said: Said): CertificateOptions {
  const mode = oneOf("cert-provider", said("cert-provider"), ["selfsigned", "vault", "file", "cert-manager"]);
  const [service, namespace] = [said("cert-service-name"), said("namespace")];
  const hosts = [
    ...["", `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((rest) => service + rest),
    ...list("cert-dns-names", said),
  ];
  if (mode === "selfsigned") return { mode, secret: said("cert-secret-name"), hosts };
  if (mode === "vault") {
    const login = { role: needed("vault-k8s-role", said), mount: said("vault-k8s-mount-path") };
    const [mount, role] = [said("vault-pki-mount"), said("vault-pki-role")];
    return { mode, address: needed("vault-addr", said), mount, role, login, hosts };
  }
  return {
    mode,
    certificateFile: needed("cert-file", said),
    keyFile: needed("key-file", said),
    authorityFile: needed("ca-file", said),
  };
}

function needed(name: Name, said: Said): string {
  const value = said(name);
  if (value === "") throw new UsageError(`--cert-provider ${said("cert-provider")} needs --${name}`);
  return value;
}

function truth(name: Name, said: Said): boolean {
  const value = said(name).toLowerCase();
  if (["true", "1", "yes"].includes(value)) return true;
  if (["false", "0", "no"].includes(value)) return false;
  throw new UsageError(`--${name} is true or false, not ${JSON.stringify(value)}`);
}

function oneOf<const T extends string>(name: Name, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`--${name} is one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
  return found;
}

function list(name: Name, said: Said): readonly string[] {
  return said(name)
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function port(name: Name, said: Said): number {
  return portOf(name, said(name));
}

function portOf(name: Name, text: string): number {
  const value = /^[0-9]{1,5}$/u.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 0 && value <= 65_535)) throw new UsageError(`--${name} needs a port, not ${JSON.stringify(text)}`);
  return value;
}

/** `:8081`, `127.0.0.1:8081`. */
function address(name: Name, said: Said): { readonly host?: string; readonly port: number } {
  const text = said(name);
  const colon = text.lastIndexOf(":");
  const host = text.slice(0, Math.max(0, colon));
  return { ...(host !== "" && { host }), port: portOf(name, text.slice(colon + 1)) };
}

function gatewayName(text: string): CertifiedGateway {
  const [namespace = "", name = "", ...rest] = text.split("/");
  if (namespace === "" || name === "" || rest.length > 0)
    throw new UsageError(`--gateways takes namespace/name, not ${JSON.stringify(text)}`);
  return { namespace, name };
}
