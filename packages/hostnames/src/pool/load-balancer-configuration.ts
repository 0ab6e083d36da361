import type { LoadBalancerConfiguration } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import type { HostnameSettings } from "../settings.ts";
import type { ListenerCertificates } from "./certificates-on.ts";
import type { GatewayProfile } from "./pool-gateways.ts";

type Spec = NonNullable<Applied<LoadBalancerConfiguration>["spec"]>;

/**
 * The settings of a Gateway's load balancer. Lists there have one writer, so what the platform wants of the HTTPS listener is said
 * here with the certificates. Without a certificate there is no HTTPS listener to set up.
 */
export function configurationOf(
  { visibility, wafArn }: GatewayProfile,
  { default: defaultCertificate, others }: ListenerCertificates,
  targets: string | undefined,
  { ipAddressType, sslPolicy }: Pick<HostnameSettings, "ipAddressType" | "sslPolicy">,
): Spec {
  return {
    scheme: visibility === "internal" ? "internal" : "internet-facing",
    ipAddressType,
    ...(wafArn !== undefined && { wafV2: { webACL: wafArn } }),
    ...(targets !== undefined && { defaultTargetGroupConfiguration: { name: targets } }),
    ...(defaultCertificate !== undefined && {
      listenerConfigurations: [
        {
          protocolPort: "HTTPS:443",
          defaultCertificate,
          ...(others.length > 0 && { certificates: others }),
          sslPolicy,
        },
      ],
    }),
  };
}
