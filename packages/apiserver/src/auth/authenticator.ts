import { unauthorized } from "@gatewright/kube";
import type { Connection } from "../http/api-request.ts";
import { isLoopbackAddress } from "./loopback.ts";
import { anonymous, AUTHENTICATED, MASTERS } from "./user.ts";
import type { UserInfo } from "./user.ts";

/** What a token turned out to be. */
export type TokenVerdict =
  | { readonly type: "user"; readonly user: UserInfo; readonly audiences: readonly string[] }
  /** Not of this kind: somebody else may know it. */
  | { readonly type: "unknown" }
  /** Of this kind, but not good. `why` is for TokenReview; callers see 401. */
  | { readonly type: "refused"; readonly why: string };

/** One way to read a bearer token. Never throws for what a caller sends. */
export interface TokenAuthenticator {
  /** `audiences`: whom the token must be meant for, one of them at least. */
  authenticate(token: string, audiences: readonly string[]): TokenVerdict;
}

export interface AuthenticatorOptions {
  /** Asked in this order. */
  readonly tokens: readonly TokenAuthenticator[];
  /** Audiences that this server answers to. */
  readonly audiences: readonly string[];
  /** Whether callers without credentials go on as `system:anonymous` (or are refused with 401). */
  readonly anonymous: boolean;
  /** Laptop mode: over plain HTTP, whoever is on this machine and shows no credentials is its admin. */
  readonly loopbackAdmin: boolean;
}

/** A request as far as it tells who makes it. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly connection: Connection;
}

export interface Authenticator {
  /** Who makes the request, before impersonation. Throws 401. */
  authenticate(request: Credentials): UserInfo;
  /** The verdict on a token alone, for TokenReview. */
  reviewToken(token: string, audiences: readonly string[]): TokenVerdict;
}

/** The owner of the machine. */
export const laptopAdmin: UserInfo = { username: "kubernetes-admin", groups: [MASTERS, AUTHENTICATED] };

const INVALID = "invalid bearer token";

function bearerToken(header: string | undefined): string | undefined {
  const [scheme = "", token = ""] = (header ?? "").trim().split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

function withAuthenticated(user: UserInfo): UserInfo {
  return user.groups.includes(AUTHENTICATED) ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}

/** Puts the ways to authenticate in order: trusted callers, client certificates, bearer tokens, then those with nothing. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  function reviewToken(token: string, audiences: readonly string[]): TokenVerdict {
    const reasons = [INVALID];
    const wanted = audiences.length > 0 ? audiences : options.audiences;
    for (const way of options.tokens) {
      const verdict = way.authenticate(token, wanted);
      if (verdict.type === "user") return { ...verdict, user: withAuthenticated(verdict.user) };
      if (verdict.type === "refused") reasons.push(verdict.why);
    }
    return { type: "refused", why: reasons.length === 1 ? INVALID : `[${reasons.join(", ")}]` };
  }
  return {
    reviewToken,
    authenticate({ headers, connection }) {
      if (connection.trustedUser) return connection.trustedUser;
      const { certificate } = connection;
      if (certificate && certificate.commonName !== "") {
        return withAuthenticated({ username: certificate.commonName, groups: certificate.organizations });
      }
      const token = bearerToken(headers["authorization"]);
      if (token !== undefined) {
        const verdict = reviewToken(token, options.audiences);
        if (verdict.type !== "user") throw unauthorized();
        return verdict.user;
      }
      if (options.loopbackAdmin && !connection.secure && isLocal(connection)) return laptopAdmin;
      if (!options.anonymous) throw unauthorized();
      return anonymous;
    },
  };
}

/** Callers in the same process have no address. */
function isLocal({ remoteAddress }: Connection): boolean {
  return remoteAddress === undefined || isLoopbackAddress(remoteAddress);
}
