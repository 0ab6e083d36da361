import { badRequest, formatGroupVersion } from "@gatewright/kube";
import type { Json, JsonObject, Resource } from "@gatewright/kube";
import type { EventApi } from "./create-event-api.ts";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { Caller, HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { namedKinds } from "./selection.ts";

/** A path and who answers it, as the embedded API server takes it. */
interface ServedPath {
  readonly path: string;
  handle(question: HttpQuestion, caller: Caller): Promise<HttpAnswer> | HttpAnswer;
}

export interface EventPathsOptions<R extends Resource> {
  readonly api: EventApi;
  /** What this controller is called, for `GET /`. */
  readonly about: { readonly name: string; readonly version: string; readonly description: string };
  /** The kind that the API is about; it comes first. */
  readonly resources: readonly [R, ...R[]];
  /** The CustomResourceDefinition of a kind, for `GET /crd`. Asked once for each. */
  readonly crdOf: (resource: R) => object;
  /** Where browsers go from `GET /`. Default: `/console/`, where a short page is served until somebody serves more. */
  readonly console?: { readonly home: string };
}

/** All that a program serves beside Kubernetes: the value of `ApiServerOptions.paths`. */
export interface EventPaths {
  readonly served: readonly ServedPath[];
  readonly about: JsonObject;
  readonly home: string;
}

/** The paths of the event API, and what `GET /` tells of them. */
export function eventPaths<R extends Resource>(options: EventPathsOptions<R>): EventPaths {
  const { api, about, resources, crdOf, console } = options;
  const definitions = new Map<R, HttpAnswer>();
  const endpoints = endpointsOf(resources[0]);
  const crd: ServedPath = {
    path: "/crd",
    handle({ query }) {
      const [resource = resources[0], another] = namedKinds(query, resources) ?? [];
      if (another) throw badRequest("/crd gives the definition of one kind");
      const answer = definitions.get(resource) ?? jsonAnswer(200, crdOf(resource) as Json);
      definitions.set(resource, answer);
      return answer;
    },
  };
  const page: ServedPath = { path: "/console/", handle: () => welcome(about.name, endpoints) };
  return {
    served: [
      { path: "/watch", handle: (question, caller) => api.watch(question, caller) },
      { path: "/events", handle: (question, caller) => api.events(question, caller) },
      crd,
      ...(console ? [] : [page]),
    ],
    about: { ...about, endpoints: [...endpoints] },
    home: console?.home ?? page.path,
  };
}

function endpointsOf(resource: Resource): readonly { method: string; path: string; description: string }[] {
  const collection = `/apis/${formatGroupVersion(resource)}/namespaces/{ns}/${resource.plural}`;
  const object = `${collection}/{name}`;
  return [
    { method: "GET", path: "/", description: "Controller information and available endpoints" },
    { method: "GET", path: "/healthz", description: "Health check" },
    { method: "GET", path: "/crd", description: "Custom Resource Definition" },
    { method: "GET", path: collection, description: "List resources" },
    { method: "GET", path: object, description: "Get a resource" },
    { method: "POST", path: collection, description: "Create a resource" },
    { method: "PUT", path: object, description: "Update a resource" },
    { method: "DELETE", path: object, description: "Delete a resource" },
    { method: "GET", path: "/watch", description: "Watch resources (Server-Sent Events)" },
    { method: "GET", path: "/events", description: "Recent events" },
  ];
}

/** Holds nothing that a user wrote, and nothing that could run. */
function welcome(name: string, endpoints: ReturnType<typeof endpointsOf>): HttpAnswer {
  const rows = endpoints.map(({ method, path, description }) => `<li><code>${method} ${path}</code> ${description}`);
  const html = `<!doctype html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1><ul>${rows.join("")}</ul>\n`;
  return {
    status: 200,
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'" },
    body: Buffer.from(html),
  };
}
