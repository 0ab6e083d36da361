import { getPath, isObject } from "@gatewright/kube";
import type { Json, JsonObject, KubeObject } from "@gatewright/kube";
import { serviceAccountUsername } from "../service-account-name.ts";

/** An object that a token names, and by uid, so that a namesake does not count. */
export interface Reference {
  readonly name: string;
  readonly uid: string;
}

/** What a service account token says. Times are seconds since the Unix epoch. */
export interface ServiceAccountClaims {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly issuedAt: number;
  readonly notBefore: number;
  readonly expires: number;
  readonly id: string;
  readonly namespace: string;
  readonly serviceAccount: Reference;
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
  /** When a token that was extended for old clients should have been renewed. */
  readonly warnAfter?: number;
}

export function referenceTo(object: KubeObject): Reference {
  return { name: object.metadata.name ?? "", uid: object.metadata.uid ?? "" };
}

const shown = ({ name, uid }: Reference): JsonObject => ({ name, ...(uid !== "" && { uid }) });

/** The claims as a token carries them. */
export function encodeClaims(claims: ServiceAccountClaims): JsonObject {
  const { namespace, serviceAccount, pod, secret, node, warnAfter } = claims;
  return {
    aud: [...claims.audiences],
    exp: claims.expires,
    iat: claims.issuedAt,
    iss: claims.issuer,
    jti: claims.id,
    "kubernetes.io": {
      namespace,
      ...(node && { node: shown(node) }),
      ...(pod && { pod: shown(pod) }),
      ...(secret && { secret: shown(secret) }),
      serviceaccount: shown(serviceAccount),
      ...(warnAfter !== undefined && { warnafter: warnAfter }),
    },
    nbf: claims.notBefore,
    sub: serviceAccountUsername(namespace, serviceAccount.name),
  };
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);

function reference(value: Json | undefined): Reference | undefined {
  return isObject(value) ? { name: text(value["name"]), uid: text(value["uid"]) } : undefined;
}

/** The claims of a token that was signed by us; undefined when it is not about a service account. */
export function decodeClaims(claims: JsonObject): ServiceAccountClaims | undefined {
  const own = claims["kubernetes.io"];
  const serviceAccount = reference(getPath(own, "serviceaccount"));
  if (!isObject(own) || !serviceAccount) return undefined;
  const [pod, secret, node] = [reference(own["pod"]), reference(own["secret"]), reference(own["node"])];
  const { aud } = claims;
  return {
    issuer: text(claims["iss"]),
    audiences: Array.isArray(aud) ? aud.map(text) : [text(aud)].filter((audience) => audience !== ""),
    issuedAt: number(claims["iat"]),
    notBefore: number(claims["nbf"]),
    expires: number(claims["exp"]),
    id: text(claims["jti"]),
    namespace: text(own["namespace"]),
    serviceAccount,
    ...(pod && { pod }),
    ...(secret && { secret }),
    ...(node && { node }),
    ...(typeof own["warnafter"] === "number" && { warnAfter: own["warnafter"] }),
  };
}
