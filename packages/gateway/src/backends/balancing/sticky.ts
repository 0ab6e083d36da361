import { createHmac } from "node:crypto";
import type { Call } from "../../pipeline/call.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { changedUpstream } from "../changed-upstream.ts";
import type { Balanced, Balancer } from "./balancer.ts";
import { cookieValue } from "./request-key.ts";

/** The cookie of a sticky backend. */
export interface StickySpec {
  /** `gateway-sticky` unless said. */
  readonly cookie?: string;
  /** Seconds that browsers keep it; undefined: until they are closed. */
  readonly maxAgeSeconds?: number;
}

/**
 * A client stays with the endpoint that it got first, by a cookie, as long as that endpoint may take requests. The cookie's value is
 * a keyed digest of backend and address: it names an endpoint to us and tells clients nothing. It is the same in every process that
 * has the same secret.
 */
export class Sticky implements Balancer {
  readonly #name: string;
  readonly #attributes: string;
  readonly #backend: string;
  readonly #secret: string;
  readonly #otherwise: Balancer;
  readonly #tokens = new Map<string, string>();

  constructor(spec: StickySpec, backend: string, secret: string, otherwise: Balancer) {
    this.#name = spec.cookie ?? "gateway-sticky";
    this.#attributes = spec.maxAgeSeconds === undefined ? "" : `; Max-Age=${spec.maxAgeSeconds}`;
    this.#backend = backend;
    this.#secret = secret;
    this.#otherwise = otherwise;
  }

  choose<T extends Balanced>(among: readonly T[], call: Call): T {
    const token = cookieValue(call.head.fields, this.#name);
    const known = token === undefined ? undefined : among.find(({ address }) => this.#tokenOf(address) === token);
    return known ?? this.#otherwise.choose(among, call);
  }

  /** Connections to an endpoint whose answers carry its cookie to clients that do not have it. */
  marking(address: string, upstream: Upstream): Upstream {
    const token = this.#tokenOf(address);
    return changedUpstream(upstream, {
      answer: (request, answer) => {
        if (cookieValue(request.fields, this.#name) === token) return;
        const secure = request.fields.get("x-forwarded-proto") === "https" ? "; Secure" : "";
        const cookie = `${this.#name}=${token}; Path=/${this.#attributes}; HttpOnly; SameSite=Lax${secure}`;
        answer.fields.add("set-cookie", cookie);
      },
    });
  }

  #tokenOf(address: string): string {
    const known = this.#tokens.get(address);
    if (known !== undefined) return known;
    const digest = createHmac("sha256", this.#secret).update(`${this.#backend} ${address}`).digest("base64url");
    const token = digest.slice(0, 22);
    this.#tokens.set(address, token);
    return token;
  }
}
