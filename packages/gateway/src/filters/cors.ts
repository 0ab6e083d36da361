import { isFieldName } from "../exchange/field-rules.ts";
import type { Answer } from "../exchange/answer.ts";
import { Fields } from "../exchange/fields.ts";
import type { Call } from "../pipeline/call.ts";
import type { Filter } from "../pipeline/filter.ts";
import { originRule } from "./cors-origins.ts";
import type { OriginRule } from "./cors-origins.ts";
import type { Around } from "./around.ts";

type Noting = Pick<Around, "note">;

/** `spec.cors`. */
export interface CorsSpec {
  readonly allowOrigins?: readonly string[] | undefined;
  readonly allowMethods?: readonly string[] | undefined;
  readonly allowHeaders?: readonly string[] | undefined;
  readonly exposeHeaders?: readonly string[] | undefined;
  readonly allowCredentials?: boolean | undefined;
  readonly maxAge?: number | undefined;
}

/** What browsers may do anyway, and so what is told when no method is named. */
const SIMPLE_METHODS = "GET, HEAD, POST";
const DEFAULT_MAX_AGE = 5;
const OURS = [
  "access-control-allow-origin",
  "access-control-allow-credentials",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "access-control-expose-headers",
  "access-control-max-age",
] as const;

interface Policy {
  readonly origins: OriginRule;
  readonly credentials: boolean;
  /** Undefined: what the preflight asks for is repeated. */
  readonly methods: string | undefined;
  readonly headers: string | undefined;
  readonly exposed: string;
  readonly maxAge: string;
}

/**
 * Answers preflight requests and says on every answer which sites may read it, whatever the backend says about that. A site that is not
 * allowed gets its answer without these fields: the browser does the rest. Requests that are no preflight are passed on in any case.
 */
export function corsFilter(spec: CorsSpec, around: Noting): Filter {
  const policy = policyOf(spec, around);
  return {
    name: "cors",
    request(call) {
      if (call.head.method !== "OPTIONS" || !call.head.fields.has("origin")) return undefined;
      return call.head.fields.has("access-control-request-method") ? preflight(call, policy) : undefined;
    },
    response(call, answer) {
      // A preflight's answer is ours from the start.
      if (answer.origin !== "cors_preflight") mark(call, answer.fields, policy);
      return answer;
    },
  };
}

function policyOf(spec: CorsSpec, around: Noting): Policy {
  const credentials = spec.allowCredentials === true;
  const entries = spec.allowOrigins ?? [];
  if (entries.length === 0)
    around.note({
      severity: "warning",
      field: "spec.cors.allowOrigins",
      message: "no site is named, so none may call: write * for all",
    });
  if (credentials && entries.includes("*"))
    around.note({
      severity: "warning",
      field: "spec.cors.allowOrigins",
      message: "with allowCredentials, * lets every site act as the user",
    });
  const origins = originRule(entries, credentials, (index) =>
    around.note({
      severity: "warning",
      field: `spec.cors.allowOrigins[${index}]`,
      message: "is neither an origin nor a pattern, and matches nothing",
    }),
  );
  const methods = (spec.allowMethods ?? []).map((method) => method.toUpperCase());
  return {
    origins,
    credentials,
    methods: methods.length === 0 ? SIMPLE_METHODS : listed(methods, credentials),
    headers: listed(names(spec.allowHeaders, "allowHeaders", around), credentials),
    exposed: names(spec.exposeHeaders, "exposeHeaders", around).join(", "),
    maxAge: String(spec.maxAge ?? DEFAULT_MAX_AGE),
  };
}

/** The names that can be names of fields, or `*`. */
function names(list: readonly string[] | undefined, field: string, around: Noting): string[] {
  return (list ?? []).filter((name, index) => {
    const fine = isFieldName(name.toLowerCase());
    if (!fine)
      around.note({ severity: "warning", field: `spec.cors.${field}[${index}]`, message: "is no name of a header" });
    return fine;
  });
}

/** A list as browsers read it. `*` means nothing to them when there are credentials: then what is asked for is repeated. */
function listed(values: readonly string[], credentials: boolean): string | undefined {
  if (!values.includes("*")) return values.join(", ");
  return credentials ? undefined : "*";
}

/** The one origin that a request names, when its site may call. */
function allowedOrigin(call: Call, policy: Policy): string | undefined {
  const given = call.head.fields.all("origin");
  const [origin] = given;
  return given.length === 1 && origin !== undefined && policy.origins.allows(origin) ? origin : undefined;
}

function preflight(call: Call, policy: Policy): Answer {
  const { fields: asked } = call.head;
  const fields = new Fields();
  const origin = allowedOrigin(call, policy);
  if (origin !== undefined) {
    allow(fields, origin, policy);
    const methods = policy.methods ?? asked.get("access-control-request-method") ?? "";
    if (methods !== "") fields.set("access-control-allow-methods", methods);
    const askedHeaders = asked.all("access-control-request-headers").join(", ");
    const headers = policy.headers ?? askedHeaders;
    if (askedHeaders !== "" && headers !== "") fields.set("access-control-allow-headers", headers);
    fields.set("access-control-max-age", policy.maxAge);
  }
  fields.set("vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers");
  return { status: 204, fields, body: undefined, origin: "cors_preflight" };
}

function mark(call: Call, fields: Fields, policy: Policy): void {
  for (const name of OURS) fields.remove(name);
  if (!policy.origins.any) varyByOrigin(fields);
  if (!call.head.fields.has("origin")) return;
  const origin = allowedOrigin(call, policy);
  if (origin === undefined) return;
  allow(fields, origin, policy);
  if (policy.exposed !== "") fields.set("access-control-expose-headers", policy.exposed);
}

function allow(fields: Fields, origin: string, policy: Policy): void {
  fields.set("access-control-allow-origin", policy.origins.any ? "*" : origin);
  if (policy.credentials) fields.set("access-control-allow-credentials", "true");
}

function varyByOrigin(fields: Fields): void {
  const vary = fields.all("vary").flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase()));
  if (!vary.includes("origin") && !vary.includes("*")) fields.add("vary", "Origin");
}
