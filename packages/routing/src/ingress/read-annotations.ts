import type { JsonObject } from "@gatewright/kube";
import { AnnotationError, asOneOf, put } from "./annotation-values.ts";
import type { Policies } from "./ingress-draft.ts";
import { annotationField } from "./ingress-problem.ts";
import type { Report } from "./ingress-problem.ts";
import { NGINX_ANNOTATIONS, NGINX_HARMLESS, NGINX_PROTECTION } from "./nginx-annotations.ts";
import type { NginxPolicies } from "./nginx-annotations.ts";
import { KNOWN_OTHERWISE, OWN_ANNOTATIONS, tidied } from "./own-annotations.ts";

const OWN = "avapigw.io/";
const NGINX = "nginx.ingress.kubernetes.io/";

/**
 * What the annotations of an Ingress mean. Those of ingress-nginx are read first and ours win. What cannot be read is reported and
 * left out; what would keep somebody out and is not understood is reported as fatal.
 */
export function readAnnotations(annotations: Readonly<Record<string, string>>, report: Report): Policies {
  const nginx: NginxPolicies = {
    route: {},
    backend: {},
    regex: false,
    wholeRewrite: undefined,
    appRoot: undefined,
    protocol: undefined,
    secure: false,
  };
  const given = Object.entries(annotations).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // In the order of our table, in which those that fill in for others come last.
  for (const [name, apply] of NGINX_ANNOTATIONS) {
    const text = annotations[NGINX + name];
    const warn = (message: string): void => report({ field: annotationField(NGINX + name), message, fatal: false });
    if (text !== undefined) attempt(NGINX + name, report, () => apply(nginx, text, warn));
  }
  for (const [name, text] of given) if (name.startsWith(NGINX)) judged(name, name.slice(NGINX.length), text, report);
  withoutSwitch(nginx, annotations, report);

  const { route, backend } = nginx;
  const protocol = protocolOf(annotations, report) ?? nginx.protocol ?? "http";
  for (const [name, text] of given) {
    if (!name.startsWith(OWN)) continue;
    const rule = OWN_ANNOTATIONS.get(name.slice(OWN.length));
    if (rule === undefined) unknown(name, name.slice(OWN.length), text, report);
    else if (rule.only !== undefined && rule.only !== protocol)
      report({ field: annotationField(name), message: `means nothing on an Ingress for ${protocol}`, fatal: false });
    else attempt(name, report, () => put(rule.to === "route" ? route : backend, rule.path, rule.read(text)));
  }
  tidied(route, backend);
  if (protocol === "http" && (backend["healthCheck"] as JsonObject | undefined)?.["path"] === undefined)
    delete backend["healthCheck"];
  return {
    route,
    backend,
    protocol,
    secure: nginx.secure,
    regex: nginx.regex,
    wholeRewrite: nginx.wholeRewrite,
    appRoot: nginx.appRoot,
    grpc: { ...part(annotations, "service", report), ...part(annotations, "method", report) },
  };
}

function attempt(name: string, report: Report, apply: () => void): void {
  try {
    apply();
  } catch (error) {
    if (!(error instanceof AnnotationError)) throw error;
    report({ field: annotationField(name), message: error.message, fatal: false });
  }
}

/** Blocks of nginx that another annotation switches on mean nothing without it. */
function withoutSwitch(
  { route, backend }: NginxPolicies,
  annotations: Readonly<Record<string, string>>,
  report: Report,
): void {
  const warn = (prefix: string, message: string): void => {
    for (const name of Object.keys(annotations))
      if (name.startsWith(NGINX + prefix)) report({ field: annotationField(name), message, fatal: false });
  };
  if (annotations[`${NGINX}enable-cors`] === undefined) {
    delete route["cors"];
    warn("cors-", 'does nothing without enable-cors: "true"');
  }
  const balancing = backend["loadBalancer"] as JsonObject | undefined;
  if (balancing?.["sticky"] === undefined || balancing["algorithm"] === "sticky") return;
  delete balancing["sticky"];
  if (Object.keys(balancing).length === 0) delete backend["loadBalancer"];
  warn("session-cookie-", "does nothing without affinity: cookie");
}

/** Of an annotation that keeps somebody out: that it is not used. */
const OFF: ReadonlySet<string> = new Set(["false", "off", ""]);

function judged(name: string, rest: string, text: string, report: Report): void {
  if (NGINX_PROTECTION.includes(rest) && OFF.has(text)) return;
  if (NGINX_PROTECTION.includes(rest))
    report({
      field: annotationField(name),
      message: "is not understood here, and the Ingress is not served without it; write an APIRoute",
      fatal: true,
    });
  else if (!NGINX_ANNOTATIONS.has(rest) && !NGINX_HARMLESS.has(rest))
    report({ field: annotationField(name), message: "is not understood here and does nothing", fatal: false });
}

function unknown(name: string, rest: string, text: string, report: Report): void {
  if (KNOWN_OTHERWISE.has(rest)) return;
  const protects = rest.startsWith("auth-") && !(rest === "auth-enabled" && text === "false");
  report({
    field: annotationField(name),
    message: protects
      ? "is not enough to know callers by, and the Ingress is not served without it; write an APIRoute with authentication"
      : "is not known and does nothing",
    fatal: protects,
  });
}

function protocolOf(annotations: Readonly<Record<string, string>>, report: Report): "http" | "grpc" | undefined {
  const text = annotations[`${OWN}protocol`]?.toLowerCase();
  if (text === undefined || text === "http" || text === "h2c") return text === undefined ? undefined : "http";
  if (text === "grpc") return "grpc";
  report({ field: annotationField(`${OWN}protocol`), message: "write one of http, grpc, h2c", fatal: false });
  return undefined;
}

function part(
  annotations: Readonly<Record<string, string>>,
  which: "service" | "method",
  report: Report,
): Partial<Record<"service" | "method", JsonObject>> {
  const name = annotations[`${OWN}grpc-${which}`];
  if (name === undefined) return {};
  const type = `${OWN}grpc-${which}-match-type`;
  let how = "prefix";
  attempt(type, report, () => (how = asOneOf("exact", "prefix", "regex")(annotations[type] ?? "prefix") as string));
  return { [which]: { [how]: name } };
}
