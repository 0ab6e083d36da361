import { isFieldName, isFieldValue } from "../exchange/field-rules.ts";
import type { Filter } from "../pipeline/filter.ts";
import type { Around } from "./around.ts";

type Noting = Pick<Around, "note">;

/** `spec.security`. */
export interface SecuritySpec {
  readonly enabled?: boolean | undefined;
  readonly headers?:
    | {
        readonly enabled?: boolean | undefined;
        readonly xFrameOptions?: string | undefined;
        readonly xContentTypeOptions?: string | undefined;
        readonly xXSSProtection?: string | undefined;
        /** An older form of `csp`, which wins when both are there. */
        readonly contentSecurityPolicy?: string | undefined;
        /** An older form of `hsts`, which wins when both are there. */
        readonly strictTransportSecurity?: string | undefined;
        readonly customHeaders?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly hsts?:
    | {
        readonly enabled?: boolean | undefined;
        readonly maxAge?: number | undefined;
        readonly includeSubDomains?: boolean | undefined;
        readonly preload?: boolean | undefined;
      }
    | undefined;
  readonly csp?:
    | {
        readonly enabled?: boolean | undefined;
        readonly policy?: string | undefined;
        readonly reportOnly?: boolean | undefined;
        readonly reportUri?: string | undefined;
      }
    | undefined;
  readonly referrerPolicy?: string | undefined;
}

const ONE_YEAR = 31_536_000;
const HSTS = "strict-transport-security";

/**
 * Sets fields on every answer, in place of the backend's. Strict-Transport-Security is told over TLS only, as browsers demand. Without
 * anything to set there is no filter.
 */
export function securityHeadersFilter(spec: SecuritySpec, around: Noting): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  const set = new Map<string, string>();
  const take = (field: string, name: string, value: string | undefined): void => {
    if (value === undefined || value === "") return;
    const fine = isFieldName(name) && isFieldValue(value);
    if (fine) set.set(name, value);
    else
      around.note({
        severity: "warning",
        field: `spec.security.${field}`,
        message: "cannot be a header, and is left out",
      });
  };
  const { headers } = spec;
  if (headers?.enabled === true) {
    take("headers.xFrameOptions", "x-frame-options", headers.xFrameOptions);
    take("headers.xContentTypeOptions", "x-content-type-options", headers.xContentTypeOptions);
    take("headers.xXSSProtection", "x-xss-protection", headers.xXSSProtection);
    take("headers.contentSecurityPolicy", "content-security-policy", headers.contentSecurityPolicy);
    take("headers.strictTransportSecurity", HSTS, headers.strictTransportSecurity);
    for (const [name, value] of Object.entries(headers.customHeaders ?? {}))
      take(`headers.customHeaders[${name}]`, name.toLowerCase(), value);
  }
  take("referrerPolicy", "referrer-policy", spec.referrerPolicy);
  takePolicy(spec, set, take, around);
  if (spec.hsts?.enabled === true) take("hsts", HSTS, strictTransport(spec.hsts));
  return filterOf(set);
}

function takePolicy(
  { csp }: SecuritySpec,
  set: Map<string, string>,
  take: (field: string, name: string, value: string | undefined) => void,
  around: Noting,
): void {
  if (csp?.enabled !== true) return;
  const { policy = "", reportUri = "" } = csp;
  if (policy.trim() === "") {
    around.note({ severity: "warning", field: "spec.security.csp.policy", message: "is empty: no policy is sent" });
    return;
  }
  set.delete("content-security-policy");
  const name = csp.reportOnly === true ? "content-security-policy-report-only" : "content-security-policy";
  const rules = policy.trim().replace(/;$/u, "");
  take("csp", name, reportUri === "" ? rules : `${rules}; report-uri ${reportUri}`);
}

function strictTransport({ maxAge, includeSubDomains, preload }: NonNullable<SecuritySpec["hsts"]>): string {
  const parts = [`max-age=${maxAge ?? ONE_YEAR}`];
  if (includeSubDomains === true) parts.push("includeSubDomains");
  if (preload === true) parts.push("preload");
  return parts.join("; ");
}

function filterOf(set: ReadonlyMap<string, string>): Filter | undefined {
  if (set.size === 0) return undefined;
  const strict = set.get(HSTS);
  const always = [...set].filter(([name]) => name !== HSTS);
  return {
    name: "security",
    response(call, answer) {
      const { fields } = answer;
      for (const [name, value] of always) fields.set(name, value);
      if (strict !== undefined && call.head.scheme === "https") fields.set(HSTS, strict);
      return answer;
    },
  };
}
