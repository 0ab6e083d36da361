import { certificateNames, nameRule } from "../certificate-names.ts";
import type { CertificateNames } from "../certificate-names.ts";
import { clientAuthority } from "../client-authority.ts";
import type { MtlsSpec } from "./authentication-spec.ts";
import type { AuthenticationAround, Method } from "./method.ts";

/**
 * Makes the method for `mtls`: the certificate that the listener verified, issued by `caFile` where there is one, with one of the
 * allowed names. Its organizational units are the groups. `closed`: it cannot be made, which was noted.
 */
export function mtlsMethod(spec: MtlsSpec, around: AuthenticationAround): Method | "closed" {
  const hasAuthority = spec.caFile !== undefined && spec.caFile !== "";
  const authority = hasAuthority ? clientAuthority(spec.caFile, "spec.authentication.mtls.caFile", around) : undefined;
  if (hasAuthority && authority === undefined) return "closed";
  const byCommonName = nameRule(spec.allowedCNs);
  const byUnit = nameRule(spec.allowedOUs);
  return {
    challenge: () => 'ClientCertificate realm="gateway"',
    judge(call) {
      const certificate = call.client.tls?.certificate;
      if (certificate === undefined) return "absent";
      if (authority?.issued(certificate, around.clock.now()) === false) return "refused";
      const names = certificateNames(certificate);
      if (byCommonName !== undefined && !names.commonNames.some(byCommonName)) return "refused";
      if (byUnit !== undefined && !names.units.some(byUnit)) return "refused";
      const subject = subjectOf(names, spec.extractIdentity);
      if (subject === undefined) return "refused";
      const claims = new Map<string, unknown>([
        ["cn", names.commonNames[0] ?? ""],
        ["ou", names.units],
        ["san", names.alternatives.map(({ value }) => value)],
        ["serial", certificate.serialNumber],
        ["fingerprint", certificate.fingerprint256],
      ]);
      return { method: "mtls", subject, roles: [], groups: names.units, scopes: [], permissions: [], claims };
    },
  };
}

/** The name that stands for the client: its common name unless asked otherwise. */
function subjectOf(names: CertificateNames, from: string | undefined): string | undefined {
  if (from === "san") return names.alternatives[0]?.value;
  return from === "ou" ? names.units[0] : names.commonNames[0];
}
