import { X509Certificate } from "node:crypto";
import { core } from "@gatewright/kube/api";
import type { Cause } from "../chain.ts";
import { kubectl } from "../kubectl.ts";
import type { Known } from "../known.ts";
import { link } from "../link.ts";
import { subjectOf } from "../subject.ts";

const SOON_MS = 7 * 24 * 3_600_000;

/** The certificate in a Secret, as far as it may be read: whether it is there, and how long it lasts. Only the public part is looked at. */
export function secretCertificateLinks(
  known: Known,
  ref: { readonly namespace: string; readonly name: string },
): readonly Cause[] {
  const seen = known.get(core.Secret, ref);
  const about = { title: `Secret ${ref.name}`, subject: subjectOf(core.Secret, ref) };
  if (seen.state === "unknown") return [];
  if (seen.state === "absent") {
    const message = `There is no Secret ${ref.name} in namespace ${ref.namespace}.`;
    return [link({ ...about, state: "broken", reason: "NotFound", message })];
  }
  const certificate = parsed(seen.object.data?.["tls.crt"]);
  if (certificate === undefined) {
    const message = "It holds no certificate under tls.crt that can be read.";
    return [
      link({
        ...about,
        state: "broken",
        reason: "NotFound",
        message,
        next: [{ text: "Put a certificate, PEM, under tls.crt." }],
      }),
    ];
  }
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  const day = new Date(until).toISOString().slice(0, 10);
  const next = [{ text: "Put a new certificate and key into the Secret.", command: kubectl.edit(about.subject) }];
  if (until < known.now) {
    const since = new Date(until).toISOString();
    return [
      link({
        ...about,
        state: "broken",
        reason: "CertificateExpired",
        message: `Its certificate ended on ${day}.`,
        since,
        next,
      }),
    ];
  }
  if (from > known.now) {
    const message = `Its certificate is not valid before ${new Date(from).toISOString().slice(0, 10)}.`;
    return [link({ ...about, state: "broken", reason: "CertificateNotYetValid", message })];
  }
  const state = until - known.now < SOON_MS ? "warning" : "ok";
  return [
    link({
      ...about,
      state,
      reason: state === "ok" ? "" : "CertificateExpired",
      message: `Its certificate lasts until ${day}.`,
      next,
    }),
  ];
}

function parsed(encoded: string | undefined): X509Certificate | undefined {
  try {
    return encoded === undefined ? undefined : new X509Certificate(Buffer.from(encoded, "base64"));
  } catch {
    // What is no certificate is told as such.
    return undefined;
  }
}
