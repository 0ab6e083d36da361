import type { Answer } from "../../exchange/answer.ts";
import { Fields } from "../../exchange/fields.ts";
import { localAnswer } from "../../exchange/local-answer.ts";
import type { Call, Identity } from "../../pipeline/call.ts";
import type { Filter } from "../../pipeline/filter.ts";
import { closedFilter } from "../closed-filter.ts";
import { skipPaths } from "../skip-paths.ts";
import { ANONYMOUS } from "./anonymous.ts";
import { apiKeyMethod } from "./api-key-method.ts";
import type { AuthenticationSpec } from "./authentication-spec.ts";
import { basicMethod } from "./basic-method.ts";
import { jwtMethod } from "./jwt-method.ts";
import type { AuthenticationAround, Method, Outcome } from "./method.ts";
import { mtlsMethod } from "./mtls-method.ts";
import { oidcMethod } from "./oidc-method.ts";

/**
 * Demands that clients prove who they are. Of several methods any is enough. Who proves nothing gets 401 and is told how, or passes as
 * `anonymous` where the route allows that; a credential that is sent and not good is refused in any case. When an issuer is needed and
 * away it is 503. The identity is for authorization and logs: backends get no fields about it, and keep seeing the Authorization field
 * unless it was a key or password for the gateway. Paths that are skipped are left as they are. A specification that cannot work closes
 * the route.
 */
export function authenticationFilter(spec: AuthenticationSpec, around: AuthenticationAround): Filter | undefined {
  if (spec.enabled !== true) return undefined;
  const made = methodsOf(spec, around);
  const methods = made.filter((method) => method !== "closed");
  if (methods.length < made.length) return closedFilter("authentication");
  const allowAnonymous = spec.allowAnonymous === true;
  if (methods.length === 0 && !allowAnonymous) {
    const message = "no method is enabled: the route answers 503";
    around.note({ severity: "error", field: "spec.authentication", message, closed: true });
    return closedFilter("authentication");
  }
  const skipped = skipPaths(spec.skipPaths);
  return {
    name: "authentication",
    request(call) {
      return skipped?.(call.path) === true ? undefined : demand(call, methods, allowAnonymous, 0, "absent");
    },
  };
}

/** The cheap ones first. */
function methodsOf(spec: AuthenticationSpec, around: AuthenticationAround): (Method | "closed")[] {
  const { mtls, apiKey, basic, jwt, oidc } = spec;
  const made: (Method | "closed")[] = [];
  if (mtls?.enabled === true) made.push(mtlsMethod(mtls, around));
  if (apiKey?.enabled === true) made.push(apiKeyMethod(apiKey, around));
  if (jwt?.enabled === true) made.push(jwtMethod(jwt, around));
  if (oidc?.enabled === true) made.push(oidcMethod(oidc, around));
  if (basic?.enabled === true) made.push(basicMethod(basic, around));
  return made;
}

type Worst = Exclude<Outcome, Identity>;

/** Asks the methods from this one on. Waits only where one has to. */
function demand(
  call: Call,
  methods: readonly Method[],
  allowAnonymous: boolean,
  from: number,
  before: Worst,
): Answer | undefined | Promise<Answer | undefined> {
  let worst = before;
  for (const [index, method] of methods.entries()) {
    if (index < from) continue;
    const outcome = method.judge(call);
    if (outcome instanceof Promise) {
      return outcome.then((found) =>
        typeof found === "object"
          ? admit(call, methods, found)
          : demand(call, methods, allowAnonymous, index + 1, worse(worst, found)),
      );
    }
    if (typeof outcome === "object") return admit(call, methods, outcome);
    worst = worse(worst, outcome);
  }
  return worst === "absent" && allowAnonymous ? admit(call, methods, ANONYMOUS) : refuse(methods, worst);
}

function worse(a: Worst, b: Worst): Worst {
  if (a === "unavailable" || b === "unavailable") return "unavailable";
  return a === "refused" ? a : b;
}

function admit(call: Call, methods: readonly Method[], identity: Identity): undefined {
  call.identity = identity;
  for (const method of methods) method.strip?.(call);
}

function refuse(methods: readonly Method[], worst: Worst): Answer {
  if (worst === "unavailable")
    return localAnswer(503, "authentication_unavailable", "credentials cannot be judged at the moment");
  const refused = worst === "refused";
  const fields = new Fields();
  for (const challenge of new Set(methods.map((method) => method.challenge(refused))))
    fields.add("www-authenticate", challenge);
  const message = refused ? "these credentials are not accepted" : "credentials are needed";
  return localAnswer(401, "unauthenticated", message, fields);
}
