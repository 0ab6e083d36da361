import type { HostnamesOptions } from "@gatewright/hostnames";
import type { ProviderSettings } from "@gatewright/infra";
import type { CertifiedGateway, RoutingSettings } from "@gatewright/routing";
import type { CertificateSettings } from "./operator-certificates.ts";
import type { Part } from "./part.ts";

/** The AWS that the operator itself works in. */
export interface AwsSettings {
  /** Where certificates and load balancers are, and whose STS is asked. Needed by hostnames. */
  readonly region: string | undefined;
  /** One URL for all services, for what is not AWS itself. */
  readonly endpoint: string | undefined;
  /** Other regions of the account in which certificates rely on the same validation records. */
  readonly otherRegions: readonly string[];
}

/** What hostnames run with. */
export interface HostnamePartSettings {
  readonly settings: Omit<NonNullable<HostnamesOptions["settings"]>, "cluster">;
  /** Which version of its kinds the AWS Load Balancer Controller serves. */
  readonly gatewayAwsVersion: "v1" | "v1beta1";
  /** Addresses of DNS servers that are asked why a certificate is not issued. Empty: those of the machine. */
  readonly dnsServers: readonly string[] | "none";
}

/** What routing runs with. */
export interface RoutingPartSettings {
  readonly settings: Partial<RoutingSettings> & Pick<RoutingSettings, "webhooks">;
  readonly certificates: CertificateSettings;
  /** The ValidatingWebhookConfiguration that gets our authority. */
  readonly webhookConfiguration: string;
  /** Gateways that get certificates, where the authority is ours. */
  readonly gateways: readonly CertifiedGateway[];
}

/** Which parts run, and how. What belongs to parts that do not run is not looked at. */
export interface PartSettings {
  readonly parts: readonly Part[];
  /** The operator's own. */
  readonly namespace: string;
  /** Names this process among the replicas. */
  readonly replica: string;
  /** In the tags of all that is made in AWS: which cluster's it is. */
  readonly cluster: string;
  readonly aws: AwsSettings;
  readonly hostnames: HostnamePartSettings;
  readonly infra: Partial<ProviderSettings>;
  readonly routing: RoutingPartSettings;
}
