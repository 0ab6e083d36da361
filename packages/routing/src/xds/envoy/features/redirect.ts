import { withNormalEscapes } from "@gatewright/gateway/rows";
import type { APIRouteSpec } from "@gatewright/resources";
import { RedirectAction_RedirectResponseCode } from "@gatewright/gateway-wire/xds";
import type { RedirectActionSchema } from "@gatewright/gateway-wire/xds";
import type { Init } from "../packed.ts";
import type { RouteActionOf } from "../route-messages.ts";
import type { RouteDraft } from "../route-draft.ts";
import { wholePathRewrite } from "./rewrite.ts";

type RedirectSpec = NonNullable<APIRouteSpec["redirect"]>;

const CODES: ReadonlyMap<number, RedirectAction_RedirectResponseCode> = new Map([
  [301, RedirectAction_RedirectResponseCode.MOVED_PERMANENTLY],
  [302, RedirectAction_RedirectResponseCode.FOUND],
  [303, RedirectAction_RedirectResponseCode.SEE_OTHER],
  [307, RedirectAction_RedirectResponseCode.TEMPORARY_REDIRECT],
  [308, RedirectAction_RedirectResponseCode.PERMANENT_REDIRECT],
]);
const USUAL_PORTS = { http: 80, https: 443 } as const;

/** Sends clients elsewhere. */
export function redirect(given: RedirectSpec, draft: RouteDraft): RouteActionOf {
  const spec = withOrigin(given);
  const { scheme, host, port } = spec;
  const uri = withNormalEscapes(spec.uri ?? "");
  if (uri.includes("#")) draft.lacks("redirect.uri", "the part after # is sent as part of the path");
  if (scheme !== undefined && port === undefined)
    draft.lacks("redirect.scheme", "a port that the client has named stays in the address");
  const usual = scheme === undefined ? undefined : USUAL_PORTS[scheme];
  const base: Init<typeof RedirectActionSchema> = {
    responseCode: CODES.get(spec.code ?? 302) ?? RedirectAction_RedirectResponseCode.FOUND,
    stripQuery: spec.stripQuery === true,
    ...(scheme !== undefined && { schemeRewriteSpecifier: { case: "schemeRedirect", value: scheme } }),
    ...(host !== undefined && host !== "" && { hostRedirect: host }),
    ...(port !== undefined && port !== usual && { portRedirect: port }),
  };
  return (row) => ({
    case: "redirect",
    value: {
      ...base,
      ...(uri !== "" && {
        pathRewriteSpecifier: uri.includes("{")
          ? { case: "regexRewrite", value: wholePathRewrite(uri, row.path) }
          : { case: "pathRedirect", value: uri },
      }),
    },
  });
}

/** The same redirect with the origin of a whole `uri` in the fields for it, unless they say otherwise. */
function withOrigin(spec: RedirectSpec): RedirectSpec {
  const whole = /^(https?):\/\/([^/?#:[]+|\[[^\]]+\])(?::(\d{1,5}))?(.*)$/su.exec(spec.uri ?? "");
  if (whole === null) return spec;
  const [, scheme = "", host = "", port, path = ""] = whole;
  const given = port === undefined ? {} : { port: Number(port) };
  return { scheme: scheme as "http" | "https", host, ...given, ...spec, uri: path.startsWith("/") ? path : `/${path}` };
}
