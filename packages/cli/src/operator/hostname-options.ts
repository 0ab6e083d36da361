import type { PartSettings } from "@gatewright/operator";
import { UsageError } from "../usage-error.ts";
import type { OperatorValues } from "./operator-options.ts";

type HostnameOptions = PartSettings["hostnames"];
type Limits = NonNullable<HostnameOptions["settings"]["limits"]>;

/** As `--gateway-limits` names them. */
const LIMITS = {
  certificates: "certificates",
  rules: "rules",
  "target-groups": "targetGroups",
  headroom: "headroom",
} as const satisfies Readonly<Record<string, keyof Limits>>;

/** What flags say of hostnames. */
export function hostnameOptions(values: OperatorValues): HostnameOptions {
  const empty = values.optional("remove-empty-gateways-after");
  return {
    gatewayAwsVersion: values.oneOf("gateway-aws-version", ["v1", "v1beta1"]),
    dnsServers: values.text("dns-servers") === "none" ? "none" : values.list("dns-servers"),
    settings: {
      edgeNamespace: values.text("edge-namespace"),
      allowedDomains: values.list("allowed-domains"),
      listeners: values.oneOf("listeners", ["gateways", "listener-sets"]),
      placement: values.oneOf("placement", ["first-fit", "consistent-hash"]),
      limits: limits(values),
      defaultCertificateArn: values.optional("default-certificate-arn"),
      sslPolicy: values.text("ssl-policy"),
      ipAddressType: values.oneOf("ip-address-type", ["ipv4", "dualstack"]),
      targetType: values.oneOf("target-type", ["ip", "instance"]),
      namesPerCertificate: values.count("names-per-certificate"),
      bundleMs: values.duration("bundle-window"),
      flushMs: values.duration("flush-window"),
      drainMs: values.duration("drain-window"),
      removeEmptyAfterMs: empty === undefined ? undefined : values.duration("remove-empty-gateways-after"),
      drift: values.oneOf("drift-mode", ["repair", "report"]),
      brake: brake(values),
      orphanMs: values.duration("orphan-window"),
    },
  };
}

function limits(values: OperatorValues): Partial<Limits> {
  const known = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  return Object.fromEntries(
    values.list("gateway-limits").map((pair) => {
      const [name = "", count = ""] = pair.split("=", 2);
      return [LIMITS[values.oneOf("gateway-limits", known, name)], values.count("gateway-limits", count)];
    }),
  );
}

/** `50/10m`. */
function brake(values: OperatorValues): NonNullable<HostnameOptions["settings"]["brake"]> {
  const text = values.text("deletion-brake");
  const [deletions, window, ...rest] = text.split("/");
  if (deletions === undefined || window === undefined || rest.length > 0)
    throw new UsageError(`--deletion-brake takes a number and a time such as 50/10m, not ${JSON.stringify(text)}`);
  return {
    deletions: values.count("deletion-brake", deletions),
    windowMs: values.duration("deletion-brake", window),
  };
}
