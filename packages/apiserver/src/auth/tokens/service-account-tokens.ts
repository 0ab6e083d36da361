import { parseTime, quote } from "@gatewright/kube";
import type { GroupResource, KubeObject } from "@gatewright/kube";
import { uuid } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Cluster } from "../../cluster.ts";
import type { TokenAuthenticator, TokenVerdict } from "../authenticator.ts";
import { serviceAccountGroups, serviceAccountUsername } from "../service-account-name.ts";
import { parseJwt, signJwt, verifyJwt } from "./jwt.ts";
import { decodeClaims, encodeClaims } from "./service-account-claims.ts";
import type { Reference, ServiceAccountClaims } from "./service-account-claims.ts";
import type { SigningKey } from "./signing-key.ts";

export interface ServiceAccountTokenOptions {
  /** Who says so: the `iss` of new tokens, and the only one that is believed. */
  readonly issuer: string;
  /** The first signs; all check. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  readonly clock: Clock;
  readonly random: Random;
  /** Where the accounts and the objects that tokens are bound to are looked up. */
  readonly cluster: Pick<Cluster, "get">;
}

export interface NewToken {
  readonly namespace: string;
  readonly serviceAccount: Reference;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
  readonly warnAfterSeconds?: number;
}

/** Tokens of service accounts: made here, and good only while the account (and what they are bound to) exists. */
export interface ServiceAccountTokens extends TokenAuthenticator {
  readonly issuer: string;
  readonly keys: readonly SigningKey[];
  issue(token: NewToken): string;
}

/** Clocks of other machines may be off by this much. */
const LEEWAY_SECONDS = 60;
/** Signatures that were found good are not computed again; everything else is judged anew each time. */
const REMEMBERED = 1024;

const core = (resource: string): GroupResource => ({ group: "", resource });

export function createServiceAccountTokens(options: ServiceAccountTokenOptions): ServiceAccountTokens {
  const { issuer, keys, clock, random, cluster } = options;
  const verified = new Map<string, ServiceAccountClaims>();
  const now = (): number => clock.now() / 1000;

  /** The claims of a token with our issuer, `unknown` for tokens of others, a text for a bad signature. */
  function read(token: string): ServiceAccountClaims | "unknown" | "forged" {
    const known = verified.get(token);
    if (known) return known;
    const jwt = parseJwt(token);
    if (!jwt || jwt.claims["iss"] !== issuer) return "unknown";
    if (!verifyJwt(jwt, keys)) return "forged";
    const claims = decodeClaims(jwt.claims);
    if (!claims) return "unknown";
    if (verified.size >= REMEMBERED) verified.delete(verified.keys().next().value ?? "");
    verified.set(token, claims);
    return claims;
  }

  function objection(claims: ServiceAccountClaims): string | undefined {
    if (now() > claims.expires + LEEWAY_SECONDS) return "service account token has expired";
    if (now() < claims.notBefore - LEEWAY_SECONDS) return "service account token is not valid yet";
    if (now() < claims.issuedAt - LEEWAY_SECONDS) return "service account token is issued in the future";
    const { namespace, serviceAccount, pod, secret, node } = claims;
    const account = cluster.get(core("serviceaccounts"), namespace, serviceAccount.name);
    if (!account) return `serviceaccounts ${quote(serviceAccount.name)} not found`;
    if (account.metadata.uid !== serviceAccount.uid) {
      return `service account UID (${account.metadata.uid}) does not match claim (${serviceAccount.uid})`;
    }
    if (isGone(account)) return `service account ${namespace}/${serviceAccount.name} has been deleted`;
    return (
      (secret && boundObjection("secret", cluster.get(core("secrets"), namespace, secret.name), secret)) ??
      (pod && boundObjection("pod", cluster.get(core("pods"), namespace, pod.name), pod)) ??
      // A pod's token names its node for information only.
      (node && !pod ? boundObjection("node", cluster.get(core("nodes"), "", node.name), node) : undefined)
    );
  }

  function boundObjection(kind: string, object: KubeObject | undefined, bound: Reference): string | undefined {
    if (!object || isGone(object)) return "service account token has been invalidated";
    if (object.metadata.uid === bound.uid) return undefined;
    return `${kind} UID (${object.metadata.uid}) does not match service account ${kind} ref claim (${bound.uid})`;
  }

  function isGone({ metadata }: KubeObject): boolean {
    const deleted = metadata.deletionTimestamp === undefined ? undefined : parseTime(metadata.deletionTimestamp);
    return deleted !== undefined && deleted / 1000 < now() - LEEWAY_SECONDS;
  }

  return {
    issuer,
    keys,
    issue(token) {
      const { seconds, warnAfterSeconds, ...rest } = token;
      const at = Math.floor(now());
      const claims: ServiceAccountClaims = {
        ...rest,
        issuer,
        issuedAt: at,
        notBefore: at,
        expires: at + seconds,
        id: uuid(random),
        ...(warnAfterSeconds !== undefined && { warnAfter: at + warnAfterSeconds }),
      };
      return signJwt(keys[0], encodeClaims(claims));
    },
    authenticate(token, wanted): TokenVerdict {
      const claims = read(token);
      if (claims === "unknown") return { type: "unknown" };
      if (claims === "forged") return { type: "refused", why: "invalid signature" };
      const audiences = claims.audiences.filter((audience) => wanted.includes(audience));
      if (audiences.length === 0) {
        const list = (texts: readonly string[]): string => `[${texts.map(quote).join(" ")}]`;
        const why = `token audiences ${list(claims.audiences)} is invalid for the target audiences ${list(wanted)}`;
        return { type: "refused", why };
      }
      const why = objection(claims);
      if (why !== undefined) return { type: "refused", why };
      return { type: "user", user: userOf(claims), audiences };
    },
  };
}

function userOf({ namespace, serviceAccount, id, pod, node }: ServiceAccountClaims) {
  const extra: Record<string, readonly string[]> = {};
  const add = (key: string, value: string | undefined): void => {
    if (value) extra[`authentication.kubernetes.io/${key}`] = [value];
  };
  add("credential-id", id && `JTI=${id}`);
  add("pod-name", pod?.name);
  add("pod-uid", pod?.uid);
  add("node-name", node?.name);
  add("node-uid", node?.uid);
  return {
    username: serviceAccountUsername(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    extra,
  };
}
