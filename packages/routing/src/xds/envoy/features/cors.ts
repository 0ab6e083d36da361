import { quoted } from "@gatewright/gateway/rows";
import type { APIRouteSpec } from "@gatewright/resources";
import { CorsPolicySchema } from "@gatewright/gateway-wire/xds";
import type { StringMatcherSchema } from "@gatewright/gateway-wire/xds";
import { FILTERS } from "../filter-names.ts";
import { packed } from "../packed.ts";
import type { Init } from "../packed.ts";
import type { RouteDraft } from "../route-draft.ts";

type CorsSpec = NonNullable<APIRouteSpec["cors"]>;

const SIMPLE_METHODS = "GET, HEAD, POST";
const DEFAULT_MAX_AGE = 5;
const OURS = ["origin", "credentials", "methods", "headers"].map((name) => `access-control-allow-${name}`);

/** Answers preflights, and says which sites may call, whatever the backend says about that. */
export function cors(spec: CorsSpec, draft: RouteDraft): void {
  const methods = (spec.allowMethods ?? []).map((method) => method.toUpperCase());
  const config = packed(CorsPolicySchema, {
    allowOriginStringMatch: (spec.allowOrigins ?? []).map((origin) =>
      originMatcher(origin, spec.allowCredentials === true),
    ),
    allowMethods: methods.length === 0 ? SIMPLE_METHODS : methods.join(", "),
    allowHeaders: (spec.allowHeaders ?? []).join(", "),
    exposeHeaders: (spec.exposeHeaders ?? []).join(", "),
    maxAge: String(spec.maxAge ?? DEFAULT_MAX_AGE),
    allowCredentials: spec.allowCredentials === true,
    forwardNotMatchingPreflights: false,
  });
  draft.filters.set(FILTERS.cors, config);
  draft.responseHeadersGone.push(...OURS, "access-control-expose-headers", "access-control-max-age");
  draft.addResponseHeader("vary", "Origin");
  if (spec.allowCredentials !== true) return;
  for (const field of ["allowMethods", "allowHeaders"] as const)
    if (spec[field]?.includes("*") === true)
      draft.lacks(
        `cors.${field}`,
        "browsers do not take * with credentials, and it is not replaced by what they ask for",
      );
}

/** With credentials `*` does not stand for `null`, which every sandboxed document can claim to be. */
function originMatcher(origin: string, credentials: boolean): Init<typeof StringMatcherSchema> {
  const text = origin.toLowerCase();
  if (text === "*") {
    const regex = credentials ? "[a-zA-Z][a-zA-Z0-9+.-]*://.+" : ".*";
    return { matchPattern: { case: "safeRegex", value: { regex } } };
  }
  const [scheme = "", rest = ""] = text.split("://*.", 2);
  if (rest === "") return { matchPattern: { case: "exact", value: text }, ignoreCase: true };
  const regex = `(?i)${quoted(`${scheme}://`)}[a-z0-9_.-]+${quoted(`.${rest}`)}`;
  return { matchPattern: { case: "safeRegex", value: { regex } } };
}
