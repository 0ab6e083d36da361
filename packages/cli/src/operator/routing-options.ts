import type { CertificateSettings, PartSettings } from "@gatewright/operator";
import { DEFAULT_ENVOY_SETTINGS, DEFAULT_FEED_SETTINGS } from "@gatewright/routing";
import type { CertifiedGateway } from "@gatewright/routing";
import { UsageError } from "../usage-error.ts";
import type { OperatorFlag } from "./operator-flags.ts";
import type { OperatorValues } from "./operator-options.ts";

/** What flags say of routing. */
export function routingOptions(values: OperatorValues): PartSettings["routing"] {
  const ingress = {
    className: values.text("ingress-class-name"),
    isDefault: false,
    addresses: values.list("ingress-lb-address"),
  };
  const xdsPort = values.port("xds-port");
  return {
    certificates: certificateOptions(values),
    webhookConfiguration: values.text("webhook-config-name"),
    gateways: values.list("gateways").map(gatewayName),
    settings: {
      webhooks: values.truth("enable-webhooks") ? { port: values.port("webhook-port") } : undefined,
      streamAddress: `0.0.0.0:${values.port("grpc-port")}`,
      bindsIdentity: values.truth("grpc-bind-identity"),
      ingress: values.truth("enable-ingress-controller") ? ingress : undefined,
      xds: xdsPort === 0 ? undefined : { address: `0.0.0.0:${xdsPort}`, envoy: DEFAULT_ENVOY_SETTINGS },
      pushed: values.list("push-to").map((each) => ({ address: each })),
      feed: {
        ...DEFAULT_FEED_SETTINGS,
        crossNamespace: values.oneOf("cross-namespace", ["grant", "allow"]),
        missingBackends: values.oneOf("missing-backends", ["warn", "refuse"]),
      },
    },
  };
}

function certificateOptions(values: OperatorValues): CertificateSettings {
  const mode = values.oneOf("cert-provider", ["selfsigned", "vault", "file", "cert-manager"]);
  const [service, namespace] = [values.text("cert-service-name"), values.text("namespace")];
  const hosts = [
    ...["", `.${namespace}`, `.${namespace}.svc`, `.${namespace}.svc.cluster.local`].map((rest) => service + rest),
    ...values.list("cert-dns-names"),
  ];
  if (mode === "selfsigned") return { mode, secret: values.text("cert-secret-name"), hosts };
  const needed = (name: OperatorFlag): string => {
    const value = values.optional(name);
    if (value === undefined) throw new UsageError(`--cert-provider ${mode} needs --${name}`);
    return value;
  };
  if (mode === "vault") {
    const login = { role: needed("vault-k8s-role"), mount: values.text("vault-k8s-mount-path") };
    const [mount, role] = [values.text("vault-pki-mount"), values.text("vault-pki-role")];
    return { mode, address: needed("vault-addr"), mount, role, login, hosts };
  }
  return {
    mode,
    certificateFile: needed("cert-file"),
    keyFile: needed("key-file"),
    authorityFile: needed("ca-file"),
  };
}

function gatewayName(text: string): CertifiedGateway {
  const [namespace = "", name = "", ...rest] = text.split("/");
  if (namespace === "" || name === "" || rest.length > 0)
    throw new UsageError(`--gateways takes namespace/name, not ${JSON.stringify(text)}`);
  return { namespace, name };
}
