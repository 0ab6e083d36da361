import type { JsonObject, KubeObject } from "@gatewright/kube";
import { count, struct, text, texts } from "../../resources/object-fields.ts";
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

function reference(object: JsonObject | undefined): Reference | undefined {
  return object && { name: text(object, "name"), uid: text(object, "uid") };
}

/** The claims of a token that was signed by us; undefined when it is not about a service account. */
export function decodeClaims(claims: JsonObject): ServiceAccountClaims | undefined {
  const own = struct(claims, "kubernetes.io");
  const serviceAccount = reference(struct(own, "serviceaccount"));
  if (!own || !serviceAccount) return undefined;
  const [pod, secret, node] = ["pod", "secret", "node"].map((field) => reference(struct(own, field)));
  const audience = text(claims, "aud");
  return {
    issuer: text(claims, "iss"),
    audiences: audience === "" ? texts(claims, "aud") : [audience],
    issuedAt: count(claims, "iat"),
    notBefore: count(claims, "nbf"),
    expires: count(claims, "exp"),
    id: text(claims, "jti"),
    namespace: text(own, "namespace"),
    serviceAccount,
    ...(pod && { pod }),
    ...(secret && { secret }),
    ...(node && { node }),
    ...(typeof own["warnafter"] === "number" && { warnAfter: own["warnafter"] }),
  };
}
