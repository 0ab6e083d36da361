import type { CaseRequest, CaseStep, Expected, Manifest } from "./routing-case.ts";

type Spec = Readonly<Record<string, unknown>>;
type Meta = Partial<Manifest["metadata"]>;

const object =
  (kind: string) =>
  (name: string, spec: Spec, meta: Meta = {}): Manifest => ({
    apiVersion: "avapigw.io/v1alpha1",
    kind,
    metadata: { name, ...meta },
    spec,
  });

export const apiRoute = object("APIRoute");
export const grpcRoute = object("GRPCRoute");
export const graphqlRoute = object("GraphQLRoute");
export const backend = object("Backend");
export const grpcBackend = object("GRPCBackend");

/** `route` to one backend of the table. */
export function to(...names: readonly string[]): { readonly route: readonly Spec[] } {
  return { route: names.map((host) => ({ destination: { host, port: 8080 } })) };
}

/** `route` to several by weight. */
export function weighted(weights: Readonly<Record<string, number>>): { readonly route: readonly Spec[] } {
  return {
    route: Object.entries(weights).map(([host, weight]) => ({ destination: { host, port: 8080 }, weight })),
  };
}

/** `match` with one entry for a prefix, and what else it asks for. */
export function prefix(value: string, more: Spec = {}): { readonly match: readonly Spec[] } {
  return { match: [{ uri: { prefix: value }, ...more }] };
}

/** `match` with one entry for a whole path, and what else it asks for. */
export function exact(value: string, more: Spec = {}): { readonly match: readonly Spec[] } {
  return { match: [{ uri: { exact: value }, ...more }] };
}

/** `match` with one entry for a pattern. */
export function regex(value: string, more: Spec = {}): { readonly match: readonly Spec[] } {
  return { match: [{ uri: { regex: value }, ...more }] };
}

type Options = Partial<Pick<CaseRequest, "headers" | "body" | "tls" | "webSocket" | "cookies">>;

/** A request as `GET shop.test/path?query`; without a host it is for `gateway.test`. */
export function request(line: string, { headers = {}, body = "", ...more }: Options = {}): CaseRequest {
  const [method = "GET", url = "/"] = line.split(" ");
  const slash = url.search(/[/*]/);
  const host = slash === 0 ? "gateway.test" : url.slice(0, slash);
  return { method, host, target: url.slice(slash), headers, body, grpc: false, ...more };
}

/** A call of gRPC as `shop.test/service/method`; without a host (`/service/method`) it is for `gateway.test`. */
export function call(line: string, { body = "hello", ...more }: Options = {}): CaseRequest {
  return { ...request(`POST ${line}`, { body, ...more }), grpc: true };
}

/** A request and its answer. */
export function step(line: string | CaseRequest, expect: Expected | string): CaseStep {
  return { request: typeof line === "string" ? request(line) : line, expect: answered(expect) };
}

/** A call and its answer. */
export function callStep(line: string | CaseRequest, expect: Expected | string): CaseStep {
  const asked = typeof line === "string" ? call(line) : line;
  return { request: asked, expect: typeof expect === "string" ? { grpcStatus: 0, backend: expect } : expect };
}

/** A name stands for an answer of that backend. */
function answered(expect: Expected | string): Expected {
  return typeof expect === "string" ? { status: 200, backend: expect } : expect;
}

export const NOT_FOUND: Expected = { status: 404 };
