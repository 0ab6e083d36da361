import type { Immutable } from "@gatewright/kube";
import { getOwn } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { KeyPair } from "@gatewright/certificates";
import { isSound } from "./kept-certificates.ts";
import type { KeptCertificates } from "./kept-certificates.ts";

/**
 * Certificates as the data of a Secret of the type `kubernetes.io/tls`: `tls.crt`, `tls.key` and `ca.crt` mean what they mean
 * everywhere, the others are ours.
 */
export function secretData({ authority, next, bundle, leaf }: KeptCertificates): Record<string, string> {
  const texts = {
    "tls.crt": leaf.certificate,
    "tls.key": leaf.key,
    "ca.crt": bundle,
    "authority.crt": authority.certificate,
    "authority.key": authority.key,
    ...(next !== undefined && { "next.crt": next.certificate, "next.key": next.key }),
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

/** What a Secret keeps; undefined when it is empty, or spoiled: keys and certificates in it do not belong together. */
export function certificatesInSecret(secret: Immutable<core.Secret>): KeptCertificates | undefined {
  const text = (key: string): string => {
    const encoded = getOwn(secret.data ?? {}, key);
    return typeof encoded === "string" ? Buffer.from(encoded, "base64").toString() : "";
  };
  const pair = (name: string): KeyPair => ({ certificate: text(`${name}.crt`), key: text(`${name}.key`) });
  const next = pair("next");
  const kept = {
    authority: pair("authority"),
    next: next.certificate === "" ? undefined : next,
    bundle: text("ca.crt"),
    leaf: pair("tls"),
  };
  try {
    return isSound(kept) ? kept : undefined;
  } catch {
    return undefined; // what cannot be read as a certificate or key is as good as nothing
  }
}
