import type { APIRouteSpec } from "@gatewright/resources";
import { RBACPerRouteSchema, RBAC_Action } from "@gatewright/gateway-wire/xds";
import type { PermissionSchema, PrincipalSchema, StringMatcherSchema } from "@gatewright/gateway-wire/xds";
import type { EnvoySettings } from "../envoy-settings.ts";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { Init } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

type RouteTlsSpec = NonNullable<APIRouteSpec["tls"]>;
type ClientValidation = NonNullable<RouteTlsSpec["clientValidation"]>;

const ANY_ACTION: Init<typeof PermissionSchema> = { rule: { case: "any", value: true } };

const SOMEBODY: Init<typeof StringMatcherSchema> = { matchPattern: { case: "safeRegex", value: { regex: ".+" } } };

/** What `tls` demands of clients. Envoy checks certificates per listener: the route's authority has to be the listener's. */
export function clientCertificate(spec: RouteTlsSpec, { listeners }: EnvoySettings, draft: RouteDraft): void {
  const { clientValidation: validation, sniHosts = [] } = spec;
  const authorities = listeners.flatMap(({ tls }) => tls?.clientCaFile ?? []);
  const demands = validation?.enabled === true && validation.requireClientCert !== false;
  if (validation?.enabled === true) {
    if (!authorities.includes(validation.caFile ?? ""))
      return draft.close("tls.clientValidation.caFile", "is none of the listeners' authorities");
    if ((validation.allowedCNs ?? []).length > 0)
      return draft.close("tls.clientValidation.allowedCNs", "certificates are told apart by their further names only");
    if (!demands && (validation.allowedSANs ?? []).length > 0)
      return draft.close("tls.clientValidation.requireClientCert", "names are checked where a certificate is required");
    draft.lacks("tls.clientValidation", "a certificate of a stranger ends the connection in place of a 403");
  }
  for (const name of ["minVersion", "maxVersion", "cipherSuites"] as const)
    if (spec[name] !== undefined) draft.lacks(`tls.${name}`, "is the listener's");
  const principals =
    demands && validation !== undefined ? callers(validation) : [{ identifier: { case: "any", value: true } as const }];
  if (demands) {
    const rule = rules([ANY_ACTION], principals);
    draft.filters.set(FILTERS.clientCertificate, rule);
  }
  if (sniHosts.length === 0) return;
  draft.lacks("tls.sniHosts", "requests for other names are answered with 403 in place of 421");
  const names = sniHosts.map((name): Init<typeof PermissionSchema> => ({
    rule: { case: "requestedServerName", value: nameMatcher(name) },
  }));
  draft.secureFilters.set(FILTERS.clientCertificate, rules(names, principals));
}

function rules(permissions: Init<typeof PermissionSchema>[], principals: Init<typeof PrincipalSchema>[]) {
  return packed(RBACPerRouteSchema, {
    rbac: { rules: { action: RBAC_Action.ALLOW, policies: { route: { permissions, principals } } } },
  });
}

function callers({ allowedSANs = [] }: ClientValidation): Init<typeof PrincipalSchema>[] {
  // Without a name every connection with TLS counts, whether the client showed a certificate or not.
  if (allowedSANs.length === 0) return [{ identifier: { case: "authenticated", value: { principalName: SOMEBODY } } }];
  return allowedSANs.map((name) => ({
    identifier: { case: "authenticated", value: { principalName: nameMatcher(name) } },
  }));
}

/** A name, or all below one with `*.`. */
function nameMatcher(name: string): Init<typeof StringMatcherSchema> {
  return name.startsWith("*.")
    ? { matchPattern: { case: "suffix", value: name.slice(1) } }
    : { matchPattern: { case: "exact", value: name } };
}
