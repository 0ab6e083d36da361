import type { ApiObject, Resource } from "@gatewright/kube";
import type { CallOptions, Client, ResourceClient, SubresourceClient } from "../client/client.ts";
import type { TransportRequest } from "../transport/transport.ts";
import type { AccessCheck } from "./access.ts";
import type { Verb } from "./definition.ts";

/**
 * The client of one reconcile: every call is held to the declared access before it leaves, and ends with the reconcile's signal, so
 * that a run that was given up writes nothing more.
 */
export function reconcileClient(client: Client, check: AccessCheck, signal: AbortSignal): Client {
  return {
    for: (resource) => checkedResource(client.for(resource), resource, check, signal),
    with: (view) => reconcileClient(client.with(view), check, signal),
    async request(request) {
      checkRawRequest(request);
      return client.request(bound(signal, request));
    },
  };
}

/** Runs that end, or the caller's own signal: whichever is first. */
function bound<O extends CallOptions>(
  signal: AbortSignal,
  options: O | undefined,
): O & { readonly signal: AbortSignal } {
  const own = options?.signal === signal ? undefined : options?.signal;
  // Without options the result has the signal alone, which is all that O must have.
  return { ...options, signal: own === undefined ? signal : AbortSignal.any([signal, own]) } as O & {
    readonly signal: AbortSignal;
  };
}

function checkedResource<T extends ApiObject>(
  inner: ResourceClient<T>,
  resource: Resource<T>,
  check: AccessCheck,
  signal: AbortSignal,
): ResourceClient<T> {
  const may = (verb: Verb): void => check(verb, resource);
  const part = <S>(name: string, sub: SubresourceClient<S>): SubresourceClient<S> =>
    checkedSubresource(sub, (verb) => check(verb, resource, name), signal);
  return {
    async get(ref, options) {
      may("get");
      return inner.get(ref, bound(signal, options));
    },
    async find(ref, options) {
      may("get");
      return inner.find(ref, bound(signal, options));
    },
    async list(options) {
      may("list");
      return inner.list(bound(signal, options));
    },
    async stream(options, each) {
      may("list");
      return inner.stream(bound(signal, options), each);
    },
    watch(options) {
      may("watch");
      return inner.watch(bound(signal, options));
    },
    async create(object, options) {
      may("create");
      return inner.create(object, bound(signal, options));
    },
    async update(object, options) {
      may("update");
      return inner.update(object, bound(signal, options));
    },
    async apply(desired, options) {
      // The server asks for both when there is nothing to patch yet.
      may("patch");
      may("create");
      return inner.apply(desired, bound(signal, options));
    },
    async patch(ref, patch, options) {
      may("patch");
      return inner.patch(ref, patch, bound(signal, options));
    },
    async delete(ref, options) {
      may("delete");
      return inner.delete(ref, bound(signal, options));
    },
    async deleteAll(selection) {
      may("deletecollection");
      return inner.deleteAll(bound(signal, selection));
    },
    get status() {
      return part("status", inner.status);
    },
    subresource: <S>(name: string) => part(name, inner.subresource<S>(name)),
  };
}

function checkedSubresource<S>(
  inner: SubresourceClient<S>,
  may: (verb: Verb) => void,
  signal: AbortSignal,
): SubresourceClient<S> {
  return {
    async get(ref, options) {
      may("get");
      return inner.get(ref, bound(signal, options));
    },
    async create(ref, body, options) {
      may("create");
      return inner.create(ref, body, bound(signal, options));
    },
    async update(object, options) {
      may("update");
      return inner.update(object, bound(signal, options));
    },
    async apply(desired, options) {
      may("patch");
      return inner.apply(desired, bound(signal, options));
    },
    async patch(ref, patch, options) {
      may("patch");
      return inner.patch(ref, patch, bound(signal, options));
    },
  };
}

/** `/version`, `/readyz`, `/apis/apps/v1`: paths that lead to no object. */
const NOT_AN_OBJECT = /^\/(?!apis?\/)|^\/api\/[^/]+\/?$|^\/apis(?:\/[^/]+){0,2}\/?$/;

function checkRawRequest({ method, path }: TransportRequest): void {
  const reads = method === "GET" || method === "HEAD";
  if (reads && NOT_AN_OBJECT.test(path.split("?", 1)[0] ?? "")) return;
  throw new TypeError(`${method} ${path}: a reconcile reaches objects with client.for(resource) only`);
}
