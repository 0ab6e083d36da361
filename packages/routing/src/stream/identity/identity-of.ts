import { isIP } from "node:net";
import type { CertificateFacts } from "@gatewright/certificates";

/** Which gateway. */
export interface GatewayName {
  readonly namespace: string;
  readonly name: string;
}

const NAMESPACE = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const URI = /^spiffe:\/\/[^/]+\/ns\/([^/]+)\/gateway\/([^/]+)$/;

/**
 * Which gateways a certificate speaks for:
 *
 * - a DNS name `<name>.<namespace>`: the namespace is what follows the last dot, as none has a dot in it;
 * - a URI `spiffe://<trust domain>/ns/<namespace>/gateway/<name>`;
 * - where there are no names of either sort, the common name, read as a DNS name.
 *
 * Wildcards, addresses and anything else speak for nobody. Whether the certificate is to be trusted is not asked here.
 */
export function identityOf(certificate: Pick<CertificateFacts, "hosts" | "uris" | "subject">): readonly GatewayName[] {
  const { hosts, uris, subject } = certificate;
  if (hosts.length === 0 && uris.length === 0) {
    const common = subject.split("\n").filter((line) => line.startsWith("CN="));
    return common.length === 1 ? fromHosts([common[0]!.slice("CN=".length)]) : [];
  }
  return [...fromHosts(hosts), ...uris.flatMap(fromUri)];
}

/** Whether one of the names is that gateway's. */
export function speaksFor(names: readonly GatewayName[], { namespace, name }: GatewayName): boolean {
  return names.some((one) => one.namespace === namespace && one.name === name);
}

function fromHosts(hosts: readonly string[]): GatewayName[] {
  return hosts
    .filter((host) => isIP(host) === 0)
    .flatMap((host) => {
      const dot = host.lastIndexOf(".");
      return dot === -1 ? [] : named(host.slice(dot + 1), host.slice(0, dot));
    });
}

function fromUri(uri: string): GatewayName[] {
  const [, namespace, name] = URI.exec(uri) ?? [];
  return namespace === undefined || name === undefined ? [] : named(namespace, name);
}

function named(namespace: string, name: string): GatewayName[] {
  return NAMESPACE.test(namespace) && NAME.test(name) ? [{ namespace, name }] : [];
}
