import { deepClone } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { networking } from "@gatewright/kube/api";
import type { Draft, Policies } from "./ingress-draft.ts";
import type { IngressProblem, Report } from "./ingress-problem.ts";
import { ingressMatch } from "./ingress-match.ts";
import { readAnnotations } from "./read-annotations.ts";

type Ingress = Immutable<networking.Ingress>;
type Rule = NonNullable<NonNullable<Ingress["spec"]>["rules"]>[number];
type Path = NonNullable<Rule["http"]>["paths"][number];
type IngressBackend = Path["backend"];

export interface IngressContext {
  /** The number of a port that a Service of the namespace gives a name; undefined when there is none. */
  portNumber(service: string, port: string): number | undefined;
}

export interface ConvertedIngress {
  /** Empty when a problem is fatal. */
  readonly drafts: readonly Draft[];
  readonly problems: readonly IngressProblem[];
}

/**
 * The routes and backends that an Ingress stands for. Their names come from what they are for, so that adding a rule before others
 * changes none of them. Pure.
 */
export function convertIngress(ingress: Ingress, context: IngressContext): ConvertedIngress {
  const problems: IngressProblem[] = [];
  const report: Report = (problem) => void problems.push(problem);
  const policies = readAnnotations(ingress.metadata.annotations ?? {}, report);
  const drafts = new Map<string, Draft>();
  const add = (draft: Draft, field: string): void => {
    const key = `${draft.kind} ${draft.name}`;
    if (drafts.has(key) && draft.kind.endsWith("Route"))
      report({ field, message: "the same host and path were there before; this one does nothing", fatal: false });
    else drafts.set(key, draft);
  };
  const maker = { ingress, policies, context, report, add };
  const { rules = [], defaultBackend } = ingress.spec ?? {};
  rules.forEach((rule, r) =>
    (rule.http?.paths ?? []).forEach((path, p) => route(maker, rule.host, path, `spec.rules[${r}].http.paths[${p}]`)),
  );
  if (defaultBackend !== undefined) route(maker, undefined, { backend: defaultBackend }, "spec.defaultBackend");
  if (policies.appRoot !== undefined) rules.forEach((rule) => appRoot(maker, rule.host, policies.appRoot ?? "/"));
  if (rules.length === 0 && defaultBackend === undefined)
    report({ field: "spec", message: "has neither rules nor a default backend: nothing is served", fatal: false });
  return { drafts: problems.some(({ fatal }) => fatal) ? [] : [...drafts.values()], problems };
}

interface Maker {
  readonly ingress: Ingress;
  readonly policies: Policies;
  readonly context: IngressContext;
  readonly report: Report;
  readonly add: (draft: Draft, field: string) => void;
}

function route(maker: Maker, host: string | undefined, path: Partial<Path>, field: string): void {
  const { policies, report, add } = maker;
  const http = policies.protocol === "http";
  const target = path.backend && destination(maker, path.backend, `${field}.backend`);
  if (target === undefined) return;
  const { spec, name } = ingressMatch(host, path, policies, (message) =>
    report({ field: `${field}.path`, message, fatal: false }),
  );
  const shared = deepClone(policies.route as Json) as JsonObject;
  const tls = certificate(maker.ingress, host, shared["tls"]);
  add(
    {
      kind: http ? "APIRoute" : "GRPCRoute",
      name: `${maker.ingress.metadata.name}:${name}`,
      spec: {
        ...shared,
        ...spec,
        ...(shared["rewrite"] !== undefined && spec["rewrite"] !== undefined
          ? { rewrite: { ...(shared["rewrite"] as JsonObject), ...(spec["rewrite"] as JsonObject) } }
          : {}),
        ...(tls !== undefined && { tls }),
        ...(shared["redirect"] === undefined && { route: [{ destination: target }] }),
      },
    },
    field,
  );
}

/** Where a path leads: to the Service itself, or to a backend of its own when the annotations say how it is to be treated. */
function destination(maker: Maker, backend: IngressBackend, field: string): JsonObject | undefined {
  const { ingress, policies, context, report, add } = maker;
  const { service } = backend;
  if (service === undefined) {
    report({ field, message: "only Services are served; a resource is not", fatal: false });
    return undefined;
  }
  const { number, name: portName } = service.port ?? {};
  const port = number ?? (portName === undefined ? undefined : context.portNumber(service.name, portName));
  if (port === undefined) {
    const missing = portName === undefined ? "a port" : `the port ${portName} of the Service ${service.name}`;
    report({ field: `${field}.service.port`, message: `there is no such port: ${missing}`, fatal: false });
    return undefined;
  }
  if (Object.keys(policies.backend).length === 0 && !policies.secure) return { host: service.name, port };
  const name = `${ingress.metadata.name}:${service.name}:${port}`;
  const address = `${service.name}.${ingress.metadata.namespace ?? "default"}.svc.cluster.local`;
  add(
    {
      kind: policies.protocol === "http" ? "Backend" : "GRPCBackend",
      name,
      spec: {
        ...(deepClone(policies.backend as Json) as JsonObject),
        hosts: [{ address, port, weight: 1 }],
        // As nginx has it: what stands behind an Ingress signs its certificates itself.
        ...(policies.secure && { tls: { enabled: true, mode: "INSECURE" } }),
      },
    },
    field,
  );
  return { host: name, port };
}

/** The certificate of a rule's host: of the entry that names it, or of one that names nobody. */
function certificate(ingress: Ingress, host: string | undefined, given: Json | undefined): JsonObject | undefined {
  const entries = ingress.spec?.tls ?? [];
  const named = entries.find(({ hosts = [] }) => host !== undefined && hosts.some((each) => covers(each, host)));
  const { secretName } = named ?? entries.find(({ hosts = [] }) => hosts.length === 0) ?? {};
  if (secretName === undefined) return undefined; // versions alone mean nothing without a certificate
  return { ...(given as JsonObject | undefined), secretName };
}

function covers(pattern: string, host: string): boolean {
  if (pattern === host) return true;
  return (
    pattern.startsWith("*.") && host.endsWith(pattern.slice(1)) && !host.slice(0, 1 - pattern.length).includes(".")
  );
}

function appRoot({ ingress, policies, add }: Maker, host: string | undefined, to: string): void {
  const { spec, name } = ingressMatch(
    host,
    { path: "/", pathType: "Exact" },
    { ...policies, regex: false, wholeRewrite: undefined },
    () => {},
  );
  const redirect = { uri: to, code: 302 };
  add(
    { kind: "APIRoute", name: `${ingress.metadata.name}:root:${name}`, spec: { ...spec, redirect } },
    "metadata.annotations",
  );
}
