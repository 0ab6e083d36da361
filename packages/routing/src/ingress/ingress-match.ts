import type { JsonObject } from "@gatewright/kube";
import type { Policies } from "./ingress-draft.ts";

/** `/foo(/|$)(.*)` with `/$2`: the usual way to have nginx cut a prefix off. */
const CUT = /^((?:\/[-._~0-9A-Za-z]+)+)\(\/\|\$\)\(\.\*\)$/u;

interface IngressMatch {
  /** `hosts`, `match` and, if the path is changed, `rewrite`. */
  readonly spec: JsonObject;
  /** Says the same in one line: `api.example.com/v1` for a prefix, `api.example.com=/v1` for a whole path. */
  readonly name: string;
}

/** Which requests a path of an Ingress is for. A wildcard of a host stands for one label, as Ingress has it. */
export function ingressMatch(
  host: string | undefined,
  { path = "/", pathType = "ImplementationSpecific" }: { readonly path?: string; readonly pathType?: string },
  policies: Policies,
  warn: (message: string) => void,
): IngressMatch {
  const hosts = host === undefined || host === "" ? {} : { hosts: [host] };
  const oneLabel = host?.startsWith("*.") === true ? [{ name: "host", regex: oneLabelOf(host) }] : [];
  const name = `${host === undefined || host === "" ? "*" : host}${pathType === "Exact" ? "=" : ""}${path}`;
  if (policies.protocol === "grpc") return { spec: grpcSpec(hosts, oneLabel, path, policies), name };
  const { uri, rewrite } = uriOf(path, pathType, policies, warn);
  const match = [{ uri, ...(oneLabel.length > 0 && { headers: oneLabel }) }];
  return { spec: { ...hosts, match, ...(rewrite !== undefined && { rewrite: { uri: rewrite } }) }, name };
}

function grpcSpec(hosts: JsonObject, oneLabel: readonly JsonObject[], path: string, { grpc }: Policies): JsonObject {
  // A path such as /shop.Orders/ or /shop.Orders/Get says service and method; annotations win.
  const [, service = "", method = ""] = path.split("/");
  const said = {
    ...(service !== "" && { service: method === "" && !path.endsWith("/") ? { prefix: service } : { exact: service } }),
    ...(method !== "" && { method: { prefix: method } }),
    ...grpc,
  };
  const match = {
    ...(Object.keys(said).length > 0 ? said : { service: { exact: "*" } }),
    ...(oneLabel.length > 0 && { authority: { regex: oneLabel[0]?.["regex"] ?? "" } }),
  };
  return { ...hosts, match: [match] };
}

function uriOf(
  path: string,
  pathType: string,
  { regex, wholeRewrite }: Policies,
  warn: (message: string) => void,
): { readonly uri: JsonObject; readonly rewrite?: string } {
  const cut = CUT.exec(path);
  if (cut !== null && wholeRewrite === "/$2") return { uri: { prefix: cut[1] ?? "/" }, rewrite: "/" };
  const isRegex = pathType !== "Exact" && (regex || (wholeRewrite?.includes("$") ?? false));
  if (wholeRewrite?.includes("$") === true) {
    warn(
      `rewriting to ${wholeRewrite} is not understood here: the path is passed on as it is; write an APIRoute with rewrite`,
    );
    return { uri: isRegex ? { regex: nginxRegex(path) } : { exact: path } };
  }
  const rewrite = wholeRewrite === undefined ? {} : { rewrite: wholeRewrite };
  if (isRegex) return { uri: { regex: nginxRegex(path) }, ...rewrite };
  if (pathType === "Exact") return { uri: { exact: path }, ...rewrite };
  // nginx puts the whole path away, not the prefix alone.
  if (wholeRewrite !== undefined) return { uri: { regex: belowRegex(path) }, ...rewrite };
  return { uri: { prefix: path } };
}

/** nginx asks whether a path begins so, in any case. */
function nginxRegex(path: string): string {
  return `(?i)(?:${path}).*`;
}

function belowRegex(path: string): string {
  const plain = path.endsWith("/") ? path.slice(0, -1) : path;
  return `${escaped(plain)}(/.*)?`;
}

function oneLabelOf(host: string): string {
  return `[^.]+${escaped(host.slice(1))}(:[0-9]+)?`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
