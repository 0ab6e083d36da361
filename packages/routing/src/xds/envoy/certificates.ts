import { createHash } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { SecretSchema } from "@gatewright/gateway-wire/xds";
import type { DeliverableKey } from "../../model/deliverable.ts";
import { resourceOf } from "../resource.ts";
import type { Resource } from "../resource.ts";

/** A certificate and its key: files on Envoy's machine, which settings alone may name, or the PEM texts themselves. */
export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate as a resource of its own: a new one of the same name changes no listener. */
export function secretOf(name: string, pair: CertificatePair, keys: readonly DeliverableKey[]): Resource {
  const tlsCertificate = { certificateChain: dataSource(pair.certFile), privateKey: dataSource(pair.keyFile) };
  const secret = create(SecretSchema, { name, type: { case: "tlsCertificate", value: tlsCertificate } });
  return resourceOf(SecretSchema, name, secret, keys);
}

/** What a certificate is called: steady while it comes from the same place. */
export function secretName({ certFile }: CertificatePair): string {
  return `certificate ${createHash("sha256").update(certFile).digest("hex").slice(0, 16)}`;
}

const isText = (text: string): boolean => text.startsWith("-----BEGIN");

/**
 * Whether an object names a file of Envoy's machine: it is not passed on. The certificate is there by which Envoy is let in by its
 * operator, and with it a tenant's backend would be Envoy, and get what all tenants' objects hold.
 */
export function namesFile(text: string): boolean {
  return text !== "" && !isText(text);
}

/** What is said about a field that does. */
export const FILES_MESSAGE = "names of files are not passed on: write the PEM text";

/** Where Envoy finds a text. */
export function dataSource(file: string) {
  return isText(file)
    ? ({ specifier: { case: "inlineString", value: file } } as const)
    : ({ specifier: { case: "filename", value: file } } as const);
}
