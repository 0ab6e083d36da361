import { getOwn, isObject } from "@gatewright/kube";
import { decodeJwt } from "jose";
import { bearerMethod } from "./bearer-method.ts";
import type { OidcSpec } from "./authentication-spec.ts";
import { claimsIdentity } from "./claims-identity.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { AuthenticationAround, Method } from "./method.ts";
import { TokenVerifier } from "./token-verifier.ts";

const FIELD = "spec.authentication.oidc.providers";
const DISCOVERY_TIMEOUT = 5000;

/**
 * Makes the method for `oidc`: bearer tokens of the providers, verified with the keys that their discovery document leads to, and
 * meant for `clientId`, with all of `scopes`. Users are not sent to a login page: fields that only this would need are noted. `closed`: it
 * cannot be made.
 */
export function oidcMethod(spec: OidcSpec, around: AuthenticationAround): Method | "closed" {
  const known = new Map<string, { readonly verifier: TokenVerifier; readonly scopes: readonly string[] }[]>();
  for (const [index, provider] of (spec.providers ?? []).entries()) {
    const field = `${FIELD}[${index}]`;
    const url = URL.parse(provider.issuerUrl);
    if (url === null || !["http:", "https:"].includes(url.protocol) || url.search !== "" || url.hash !== "") {
      const message = "is not the http or https URL of an issuer";
      around.note({ severity: "error", field: `${field}.issuerUrl`, message, closed: true });
      return "closed";
    }
    for (const name of ["clientSecret", "clientSecretRef"] as const) {
      if (provider[name] === undefined) continue;
      const message = "has no effect: bearer tokens are verified, users are not sent to a login page";
      around.note({ severity: "warning", field: `${field}.${name}`, message });
    }
    const rules = {
      sources: [keptIssuer(provider.issuerUrl, around)],
      algorithm: undefined,
      issuer: provider.issuerUrl,
      audience: [provider.clientId],
      identity: (claims: Parameters<typeof claimsIdentity>[1]) => claimsIdentity("oidc", claims),
    };
    const verifier = new TokenVerifier(rules, around.clock);
    const others = known.get(provider.issuerUrl) ?? [];
    known.set(provider.issuerUrl, [...others, { verifier, scopes: provider.scopes ?? [] }]);
  }
  if (known.size === 0) {
    around.note({ severity: "error", field: FIELD, message: "names no provider", closed: true });
    return "closed";
  }
  return bearerMethod(async (token) => {
    let worst: "refused" | "unavailable" = "refused";
    for (const { verifier, scopes } of known.get(claimedIssuer(token)) ?? []) {
      const outcome = await verifier.verify(token);
      if (typeof outcome === "object") {
        if (scopes.every((scope) => outcome.scopes.includes(scope))) return outcome;
      } else if (outcome === "unavailable") worst = outcome;
    }
    return worst;
  });
}

/** Whose a token says it is: which keys to try. The verifier makes sure of it. */
function claimedIssuer(token: string): string {
  try {
    return decodeJwt(token).iss ?? "";
  } catch {
    // No token at all: nobody's.
    return "";
  }
}

/** The keys of an issuer, shared by all routes that name it. */
function keptIssuer(issuer: string, { kept, clock, fetchJson }: AuthenticationAround): IssuerKeys {
  const locate = async (signal: AbortSignal): Promise<string> => {
    const url = `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`;
    const { body, status } = await fetchJson({ url, timeoutMs: DISCOVERY_TIMEOUT }, signal);
    const document = status === 200 && isObject(body) ? body : {};
    const keys = getOwn(document, "jwks_uri");
    // A document of another issuer must not speak for this one.
    if (getOwn(document, "issuer") !== issuer || typeof keys !== "string") throw new DiscoveryError();
    return keys;
  };
  return kept.of("oidcIssuer", issuer, "", () => {
    const state = new IssuerKeys({ clock, fetchJson, locate });
    return { state, dispose: () => state.dispose() };
  });
}

/** An issuer's discovery document is not there, or not its own. */
class DiscoveryError extends Error {
  override readonly name = "DiscoveryError";
}
