import { X509Certificate, createPrivateKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { certificateFacts, certificatesIn } from "@gatewright/certificates";
import type { ImportCertificateRequest } from "@gatewright/aws-wire/types/acm";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { AwsWorld } from "../world.ts";
import { certificatePrefix } from "./arn.ts";
import type { Place } from "./arn.ts";
import { serialText } from "./issue.ts";
import type { CertificateRecord, IssuedFacts, Material } from "./records.ts";
import { invalid } from "./refusals.ts";
import type { RequestQuota } from "./request-quota.ts";
import type { AcmStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

const LARGEST_KEY = 5_120;
const LARGEST_CERTIFICATE = 32_768;
const LARGEST_CHAIN = 2_097_152;
const EXTENDED_USAGES: Readonly<Record<string, string>> = {
  "1.3.6.1.5.5.7.3.1": "TLS_WEB_SERVER_AUTHENTICATION",
  "1.3.6.1.5.5.7.3.2": "TLS_WEB_CLIENT_AUTHENTICATION",
};

/** Takes in a certificate that somebody else issued, or puts another in the place of one that was imported before. */
export async function importCertificate(
  world: AwsWorld,
  store: AcmStore,
  quota: RequestQuota,
  place: Place,
  input: ImportCertificateRequest,
): Promise<{ readonly CertificateArn: string }> {
  const now = world.clock.now();
  const { names, keyAlgorithm, facts, material } = readImport(input, now);
  const before = input.CertificateArn === undefined ? undefined : store.certificate(place, input.CertificateArn);
  if (before !== undefined && before.type !== "IMPORTED")
    throw invalid("Only imported certificates can be replaced by an import.");
  if (before !== undefined && input.Tags !== undefined) throw invalid("Tagging is not permitted on re-import.");
  if (before === undefined) quota.check(place, "imported", now);
  const record: CertificateRecord = {
    arn: before?.arn ?? `${certificatePrefix(place)}${uuid(world.random)}`,
    type: "IMPORTED",
    createdAt: before?.createdAt ?? now,
    names,
    keyAlgorithm,
    transparencyLogging: "DISABLED",
    export: "DISABLED",
    exported: false,
    phase: { is: "issued", at: now, facts },
    tags: before?.tags ?? withTags([], input.Tags ?? []),
  };
  await store.commit((commit) => {
    if (before === undefined) quota.add(commit, place, record);
    else commit.put(store.certificates, record.arn, record);
    commit.put(store.materials, record.arn, material);
  });
  return { CertificateArn: record.arn };
}

interface ReadImport {
  readonly names: readonly string[];
  readonly keyAlgorithm: string;
  readonly facts: IssuedFacts;
  readonly material: Material;
}

function readImport({ Certificate, PrivateKey, CertificateChain }: ImportCertificateRequest, now: number): ReadImport {
  const certificate = onlyCertificate(textOf(Certificate, LARGEST_CERTIFICATE, "certificate"));
  const x509 = parsed(() => new X509Certificate(certificate), "The certificate is not a valid X.509 certificate.");
  const keyText = textOf(PrivateKey, LARGEST_KEY, "private key");
  const key = parsed(() => createPrivateKey(keyText), "The private key is not supported.");
  if (!x509.checkPrivateKey(key)) throw invalid("The private key does not match the public key in the certificate.");
  const { serial, subject, issuer, notBefore, notAfter, hosts } = certificateFacts(certificate);
  if (now < notBefore || now > notAfter) {
    throw invalid(now < notBefore ? "The certificate is not valid yet." : "The certificate has expired.");
  }
  const chain =
    CertificateChain === undefined ? [] : certificatesIn(textOf(CertificateChain, LARGEST_CHAIN, "certificate chain"));
  if (CertificateChain !== undefined && chain.length === 0) throw invalid("The certificate chain could not be parsed.");
  const commonName = /^CN=(.*)$/m.exec(subject)?.[1];
  return {
    names: [...new Set([...(commonName === undefined ? [] : [commonName.toLowerCase()]), ...hosts])],
    keyAlgorithm: algorithmOf(key),
    facts: {
      serial: serialText(serial),
      subject: subject.replaceAll("\n", ","),
      issuer: /^(?:O|CN)=(.*)$/m.exec(issuer)?.[1] ?? issuer.replaceAll("\n", ","),
      notBefore,
      notAfter,
      signatureAlgorithm: key.asymmetricKeyType === "rsa" ? "SHA256WITHRSA" : "SHA256WITHECDSA",
      keyUsages: ["ANY"],
      extendedKeyUsages: (x509.keyUsage ?? []).map((oid) => ({ name: EXTENDED_USAGES[oid] ?? "CUSTOM", oid })),
    },
    material: { certificate, chain: chain.join(""), key: key.export({ type: "pkcs8", format: "pem" }).toString() },
  };
}

function textOf(bytes: Uint8Array, most: number, what: string): string {
  if (bytes.length === 0 || bytes.length > most) throw invalid(`The ${what} must have between 1 and ${most} bytes.`);
  return Buffer.from(bytes).toString("latin1");
}

function onlyCertificate(text: string): string {
  const [first, ...more] = certificatesIn(text);
  if (first === undefined) throw invalid("The certificate could not be parsed: it must be PEM.");
  if (more.length > 0)
    throw invalid(
      "The certificate field contains more than one certificate. You can specify only one certificate in this field.",
    );
  return first;
}

function parsed<T>(read: () => T, refusal: string): T {
  try {
    return read();
  } catch (cause) {
    // What the parser says may quote the key.
    throw Object.assign(new AwsError("ValidationException", refusal), {
      cause: cause instanceof Error ? cause.name : undefined,
    });
  }
}

function algorithmOf(key: KeyObject): string {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const name = modulusLength === undefined ? `EC_${namedCurve}` : `RSA_${modulusLength}`;
  if (!/^(?:RSA_(?:1024|2048|3072|4096)|EC_(?:prime256v1|secp384r1|secp521r1))$/.test(name)) {
    throw invalid("The private key is not supported.");
  }
  return name;
}
