import type { ParseArgsOptionsConfig } from "node:util";
import { DEFAULT_INSTALL_SETTINGS, PARTS } from "@gatewright/operator";
import type { InstallSettings } from "@gatewright/operator";
import { UsageError } from "../usage-error.ts";

/** Options that say how the operator is, or will be, run: those of `gatewright operator` have the same names. */
export const INSTALL_OPTIONS = {
  parts: { type: "string" },
  namespace: { type: "string", short: "n" },
  "service-account": { type: "string" },
  "cluster-name": { type: "string" },
  zone: { type: "string", multiple: true },
  role: { type: "string", multiple: true },
  partition: { type: "string" },
  "edge-namespace": { type: "string" },
  listeners: { type: "string" },
  "policy-scope": { type: "string" },
  "leader-election-id": { type: "string" },
  "enable-webhooks": { type: "string" },
  "webhook-config-name": { type: "string" },
  "cert-service-name": { type: "string" },
  "enable-ingress-controller": { type: "string" },
  "ingress-class-name": { type: "string" },
  "gateway-namespace": { type: "string", multiple: true },
} as const satisfies ParseArgsOptionsConfig;

export const INSTALL_HELP = `  --parts LIST               default: ${PARTS.join(",")}
  -n, --namespace NAME       the operator's own; default: ${DEFAULT_INSTALL_SETTINGS.namespace}
  --service-account NAME     default: ${DEFAULT_INSTALL_SETTINGS.account}
  --cluster-name NAME        as the operator is told: in the tags of all that is made in AWS
  --zone ID                  a hosted zone that hostnames may be in; may be repeated; default: all of the account
  --role ARN                 a role that AWSProviders assume by the operator's own; may be repeated
  --partition NAME           aws, aws-cn or aws-us-gov; default: aws
  --edge-namespace NAME      default: ${DEFAULT_INSTALL_SETTINGS.edgeNamespace}
  --listeners WHERE          gateways or listener-sets; default: ${DEFAULT_INSTALL_SETTINGS.listeners}
  --policy-scope SCOPE       what is held to grants of hostnames: pool (what attaches to the pool's Gateways) or all; default: pool
  --gateway-namespace NAME   of gateways that the operator makes certificates for; may be repeated
  --leader-election-id NAME, --enable-webhooks BOOL, --webhook-config-name NAME, --cert-service-name NAME,
  --enable-ingress-controller BOOL, --ingress-class-name NAME
                             as the operator is told
`;

type Values = {
  readonly [Name in keyof typeof INSTALL_OPTIONS]?:
    | ((typeof INSTALL_OPTIONS)[Name] extends { readonly multiple: true } ? readonly string[] : string)
    | undefined;
};

/** What options say about an installation. Throws a {@link UsageError} that says what to write. */
export function installSettings(values: Values): InstallSettings {
  const defaults = DEFAULT_INSTALL_SETTINGS;
  const parts = (values.parts ?? defaults.parts.join(","))
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => oneOf("parts", part, PARTS));
  if (parts.length === 0) throw new UsageError(`--parts is some of ${PARTS.join(", ")}`);
  const webhooks = truth("enable-webhooks", values["enable-webhooks"]);
  const ingresses = truth("enable-ingress-controller", values["enable-ingress-controller"]);
  return {
    ...defaults,
    parts: [...new Set(parts)],
    namespace: values.namespace ?? defaults.namespace,
    account: values["service-account"] ?? defaults.account,
    lease: values["leader-election-id"] ?? defaults.lease,
    service: values["cert-service-name"] ?? defaults.service,
    cluster: values["cluster-name"] ?? defaults.cluster,
    partition: oneOf("partition", values.partition ?? defaults.partition, ["aws", "aws-cn", "aws-us-gov"]),
    zones: (values.zone ?? []).map(zoneId),
    roles: values.role ?? [],
    edgeNamespace: values["edge-namespace"] ?? defaults.edgeNamespace,
    listeners: oneOf("listeners", values.listeners ?? defaults.listeners, ["gateways", "listener-sets"]),
    policyScope: oneOf("policy-scope", values["policy-scope"] ?? defaults.policyScope, ["pool", "all"]),
    webhookConfiguration: webhooks ? (values["webhook-config-name"] ?? defaults.webhookConfiguration) : undefined,
    ingressClass: ingresses ? (values["ingress-class-name"] ?? defaults.ingressClass) : undefined,
    gatewayNamespaces: values["gateway-namespace"] ?? [],
  };
}

/** As Route 53 says it, or as it is in an ARN. */
function zoneId(text: string): string {
  const id = text.replace(/^\/?hostedzone\//u, "");
  if (!/^[A-Z0-9]{1,32}$/u.test(id))
    throw new UsageError(`--zone takes the id of a hosted zone such as Z0123456789ABC, not ${JSON.stringify(text)}`);
  return id;
}

function oneOf<const T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`--${name} is one of ${known.join(", ")}, not ${JSON.stringify(value)}`);
  return found;
}

function truth(name: string, value = "true"): boolean {
  return oneOf(name, value, ["true", "false"]) === "true";
}
