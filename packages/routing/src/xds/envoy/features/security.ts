import type { APIRouteSpec } from "@gatewright/resources";
import type { RouteDraft } from "../route-draft.ts";

type SecuritySpec = NonNullable<APIRouteSpec["security"]>;

const ONE_YEAR = 31_536_000;
const HSTS = "strict-transport-security";
const CSP = "content-security-policy";

/** Fields that tell browsers to be careful, in place of the backend's. HSTS is told over TLS only. */
export function security(spec: SecuritySpec, draft: RouteDraft): void {
  if (!spec.enabled) return;
  const fields = new Map<string, string | undefined>();
  const given = spec.headers?.enabled === true ? spec.headers : undefined;
  fields.set("x-frame-options", given?.xFrameOptions);
  fields.set("x-content-type-options", given?.xContentTypeOptions);
  fields.set("x-xss-protection", given?.xXSSProtection);
  fields.set(CSP, given?.contentSecurityPolicy);
  fields.set(HSTS, given?.strictTransportSecurity);
  for (const [name, value] of Object.entries(given?.customHeaders ?? {})) fields.set(name.toLowerCase(), value);
  fields.set("referrer-policy", spec.referrerPolicy);
  const { csp, hsts } = spec;
  if (csp?.enabled === true && (csp.policy ?? "").trim() !== "") {
    fields.delete(CSP);
    fields.set(csp.reportOnly === true ? `${CSP}-report-only` : CSP, policyOf(csp));
  }
  if (hsts?.enabled === true) fields.set(HSTS, strictTransport(hsts));
  for (const [name, value] of fields) {
    if (value === undefined || value === "") continue;
    if (name === HSTS) draft.setSecureResponseHeader(name, value);
    else draft.setResponseHeader(name, value);
  }
}

function policyOf({ policy = "", reportUri = "" }: NonNullable<SecuritySpec["csp"]>): string {
  const rules = policy.trim().replace(/;$/u, "");
  return reportUri === "" ? rules : `${rules}; report-uri ${reportUri}`;
}

function strictTransport({ maxAge, includeSubDomains, preload }: NonNullable<SecuritySpec["hsts"]>): string {
  const parts = [`max-age=${maxAge ?? ONE_YEAR}`];
  if (includeSubDomains === true) parts.push("includeSubDomains");
  if (preload === true) parts.push("preload");
  return parts.join("; ");
}
