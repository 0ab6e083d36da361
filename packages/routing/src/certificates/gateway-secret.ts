import { certificateFacts, certificatesIn, isIssuedBy, isPair } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { getOwn } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";

/** What a gateway dials the operator with: its certificate, and the authorities that it knows the operator by. */
export interface GatewayCredentials {
  readonly pair: KeyPair;
  readonly bundle: string;
}

/** As data of a Secret of the type `kubernetes.io/tls`. */
export function gatewaySecretData({ pair, bundle }: GatewayCredentials): Record<string, string> {
  const encoded = (text: string): string => Buffer.from(text).toString("base64");
  return { "tls.crt": encoded(pair.certificate), "tls.key": encoded(pair.key), "ca.crt": encoded(bundle) };
}

/** What a Secret has for a gateway; undefined when its parts do not belong together. */
export function gatewayCredentialsIn(secret: Immutable<core.Secret>): GatewayCredentials | undefined {
  const text = (key: string): string => {
    const value = getOwn(secret.data ?? {}, key);
    return typeof value === "string" ? Buffer.from(value, "base64").toString() : "";
  };
  const pair = { certificate: text("tls.crt"), key: text("tls.key") };
  try {
    return isPair(pair) ? { pair, bundle: text("ca.crt") } : undefined;
  } catch {
    return undefined; // what cannot be read as a certificate or key is as good as nothing
  }
}

/** Whether a certificate may stay: it is of an authority that is trusted, has the names, and is before two thirds of its life. */
export function isGood({ pair }: GatewayCredentials, bundle: string, names: readonly string[], now: number): boolean {
  const { notBefore, notAfter, hosts } = certificateFacts(pair.certificate);
  return (
    now - notBefore < ((notAfter - notBefore) * 2) / 3 &&
    names.every((name) => hosts.includes(name)) &&
    certificatesIn(bundle).some((authority) => isIssuedBy(pair.certificate, authority))
  );
}
