import { createPublicKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { bearerMethod } from "./bearer-method.ts";
import type { JwtSpec } from "./authentication-spec.ts";
import { claimsIdentity } from "./claims-identity.ts";
import { IssuerKeys } from "./issuer-keys.ts";
import type { AuthenticationAround, Method } from "./method.ts";
import { TokenVerifier } from "./token-verifier.ts";
import { CURVE_ALGORITHMS, HMAC_ALGORITHMS, RSA_ALGORITHMS, fixedKey } from "./verification-keys.ts";
import type { KeySource } from "./verification-keys.ts";

const FIELD = "spec.authentication.jwt";
const MIN_RSA_BITS = 2048;

/** Makes the method for `jwt`. `closed`: it cannot be made, which was noted. */
export function jwtMethod(spec: JwtSpec, around: AuthenticationAround): Method | "closed" {
  const sources: KeySource[] = [];
  const problem = (field: string, message: string): "closed" => {
    around.note({ severity: "error", field: `${FIELD}${field}`, message, closed: true });
    return "closed";
  };
  if (given(spec.secret)) sources.push(secretSource(spec.secret, spec.algorithm, around));
  if (given(spec.publicKey)) {
    const source = publicKeySource(spec.publicKey);
    if (typeof source === "string") return problem(".publicKey", source);
    sources.push(source);
  }
  if (given(spec.jwksUrl)) {
    const url = spec.jwksUrl;
    const parsed = URL.parse(url);
    if (parsed === null || !["http:", "https:"].includes(parsed.protocol))
      return problem(".jwksUrl", "is not an http or https URL");
    if (parsed.protocol === "http:") {
      const message = "keys that come over plain HTTP can be replaced on their way: use https";
      around.note({ severity: "warning", field: `${FIELD}.jwksUrl`, message });
    }
    sources.push(keptIssuerKeys(url, around));
  }
  if (sources.length === 0) return problem("", "needs secret, publicKey or jwksUrl");
  const algorithm = given(spec.algorithm) ? spec.algorithm : undefined;
  if (algorithm !== undefined && !sources.some(({ algorithms }) => algorithms.includes(algorithm)))
    return problem(".algorithm", `none of the keys given is for ${algorithm}`);
  const rules = {
    sources,
    algorithm,
    issuer: given(spec.issuer) ? spec.issuer : undefined,
    audience: spec.audience ?? [],
    identity: (claims: Parameters<typeof claimsIdentity>[1]) => claimsIdentity("jwt", claims, spec.claimMapping),
  };
  const verifier = new TokenVerifier(rules, around.clock);
  return bearerMethod((token) => verifier.verify(token));
}

/** The keys at an address, shared by all routes that name it. */
function keptIssuerKeys(url: string, { kept, clock, fetchJson }: AuthenticationAround): IssuerKeys {
  return kept.of("issuerKeys", url, "", () => {
    const state = new IssuerKeys({ clock, fetchJson, locate: () => url });
    return { state, dispose: () => state.dispose() };
  });
}

function secretSource(secret: string, algorithm: string | undefined, around: AuthenticationAround): KeySource {
  const bytes = new TextEncoder().encode(secret);
  const wanted = Number(/\d+$/u.exec(algorithm ?? "")?.[0] ?? 256) / 8;
  if (bytes.length < wanted) {
    const message = `is shorter than ${wanted} bytes, and may be guessed from a token`;
    around.note({ severity: "warning", field: `${FIELD}.secret`, message });
  }
  return fixedKey(bytes, HMAC_ALGORITHMS);
}

/** The key in PEM, or what is wrong with it. */
function publicKeySource(pem: string): KeySource | string {
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    // The library's words may quote the key.
    return "is not a public key or certificate in PEM";
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (type === "rsa") {
    const bits = details?.modulusLength ?? 0;
    return bits < MIN_RSA_BITS ? `has fewer than ${MIN_RSA_BITS} bits` : fixedKey(key, RSA_ALGORITHMS);
  }
  const algorithm = type === "ec" ? CURVE_ALGORITHMS.get(details?.namedCurve ?? "") : undefined;
  return algorithm === undefined ? "is neither RSA nor P-256, P-384 or P-521" : fixedKey(key, [algorithm]);
}

function given(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
