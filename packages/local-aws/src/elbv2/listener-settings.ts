import type { Certificate, MutualAuthenticationAttributes } from "@gatewright/aws-wire/types/elbv2";
import { AwsError } from "../aws-error.ts";
import { checkCertificate } from "./certificate-limits.ts";
import type { Ground } from "./ground.ts";
import type { ListenerRecord, LoadBalancerRecord } from "./records.ts";
import { invalid } from "./refusals.ts";
import { DEFAULT_SSL_POLICY, checkSslPolicy } from "./ssl-policies.ts";

const PROTOCOLS = { application: ["HTTP", "HTTPS"], network: ["TCP", "TLS", "UDP", "TCP_UDP"] };
const ALPN = ["HTTP1Only", "HTTP2Only", "HTTP2Optional", "HTTP2Preferred", "None"];

/** What a request says of a listener; what it leaves open stays as it is. */
export interface ListenerChange {
  readonly Protocol?: string | undefined;
  readonly Port?: number | undefined;
  readonly SslPolicy?: string | undefined;
  readonly Certificates?: readonly Certificate[] | undefined;
  readonly AlpnPolicy?: readonly string[] | undefined;
  readonly MutualAuthentication?: MutualAuthenticationAttributes | undefined;
}

/** A listener after a change, or a new one. Refuses what AWS does. */
export function changedListener(
  ground: Ground,
  loadBalancer: LoadBalancerRecord,
  before: ListenerRecord | Pick<ListenerRecord, "arn" | "loadBalancer" | "attributes">,
  change: ListenerChange,
): ListenerRecord {
  const old: Partial<ListenerRecord> = before;
  const protocol = change.Protocol ?? old.protocol;
  const port = change.Port ?? old.port;
  if (protocol === undefined || !PROTOCOLS[loadBalancer.type].includes(protocol)) {
    throw protocol === undefined
      ? invalid("A listener protocol must be specified")
      : new AwsError(
          "UnsupportedProtocol",
          `Listener protocol '${protocol}' must be one of '${PROTOCOLS[loadBalancer.type].join(", ")}'`,
        );
  }
  if (port === undefined || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalid("A listener port from 1 to 65535 must be specified");
  }
  const twin = ground.store.listenersOf(loadBalancer.arn).find((one) => one.port === port && one.arn !== before.arn);
  if (twin !== undefined) {
    throw new AwsError(
      "DuplicateListener",
      `A listener already exists on this port for this load balancer '${loadBalancer.arn}'`,
    );
  }
  const plain: ListenerRecord = {
    arn: before.arn,
    loadBalancer: loadBalancer.arn,
    protocol,
    port,
    extraCertificates: [],
    attributes: before.attributes,
  };
  if (protocol !== "HTTPS" && protocol !== "TLS") {
    if ((change.Certificates ?? []).length > 0) {
      throw invalid(`A certificate cannot be specified for ${protocol} listeners`);
    }
    if (change.SslPolicy !== undefined) throw invalid(`An SSL policy cannot be specified for ${protocol} listeners`);
    return plain;
  }
  const sslPolicy = change.SslPolicy ?? old.sslPolicy ?? DEFAULT_SSL_POLICY;
  checkSslPolicy(sslPolicy);
  const certificate = defaultCertificate(change.Certificates) ?? old.certificate;
  if (certificate === undefined) {
    throw invalid(`A certificate must be specified for ${protocol} listeners`);
  }
  if (certificate !== old.certificate) checkCertificate(ground, certificate);
  const alpnPolicy = change.AlpnPolicy?.[0] ?? old.alpnPolicy;
  if (alpnPolicy !== undefined && (!ALPN.includes(alpnPolicy) || protocol !== "TLS")) {
    throw new AwsError("ALPNPolicyNotFound", `ALPN policy '${alpnPolicy}' is not supported for this listener`);
  }
  const mode = change.MutualAuthentication?.Mode ?? old.mutualAuthentication?.mode ?? "off";
  if (mode === "verify") throw new AwsError("TrustStoreNotFound", "Trust stores are not supported here");
  if (mode !== "off" && mode !== "passthrough") throw invalid(`Mutual authentication mode '${mode}' is not valid`);
  return {
    ...plain,
    sslPolicy,
    certificate,
    extraCertificates: old.extraCertificates ?? [],
    ...(alpnPolicy !== undefined && { alpnPolicy }),
    ...(protocol === "HTTPS" && { mutualAuthentication: { mode } }),
  };
}

function defaultCertificate(certificates: readonly Certificate[] | undefined): string | undefined {
  if (certificates === undefined || certificates.length === 0) return undefined;
  if (certificates.length > 1) throw invalid("Up to one certificate can be specified");
  return certificates[0]?.CertificateArn;
}
