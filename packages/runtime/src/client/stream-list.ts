import { getPath } from "@gatewright/kube";
import type { ApiObject, Immutable, JsonObject, Resource } from "@gatewright/kube";
import type { Caller } from "./caller.ts";
import type { ListOptions, StreamOptions } from "./client.ts";
import { isExpired } from "./error-kinds.ts";
import { ListSplitter } from "./list-splitter.ts";
import { objectOf } from "./object-of.ts";
import { acceptHeader } from "./representation.ts";
import { collectionPath } from "./resource-path.ts";

const PAGE = 500;

/**
 * Objects of a list as they arrive, page by page. Pages are of one state. When that state is gone before the last page, it begins
 * anew after `restart`, in one answer that cannot expire; without `restart` it rejects.
 */
export async function streamList<T extends ApiObject>(
  caller: Caller,
  resource: Resource<T>,
  options: StreamOptions,
  each: (object: Immutable<T>) => void,
): Promise<{ readonly resourceVersion: string }> {
  let { limit = PAGE } = options;
  for (let token: string | undefined; ;) {
    const page = await readPage(caller, resource, { ...options, limit }, token, each).catch((error: unknown) => {
      if (token === undefined || options.restart === undefined || !isExpired(error)) throw error;
      return "expired" as const;
    });
    if (page === "expired") {
      options.restart?.();
      token = undefined;
      limit = 0;
    } else {
      token = text(page, "continue");
      if (token === "") return { resourceVersion: text(page, "resourceVersion") };
    }
  }
}

async function readPage<T extends ApiObject>(
  caller: Caller,
  resource: Resource<T>,
  options: ListOptions,
  token: string | undefined,
  each: (object: Immutable<T>) => void,
): Promise<JsonObject> {
  const response = await caller.send({
    method: "GET",
    path: collectionPath(resource, options.namespace),
    query: {
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      limit: options.limit === 0 ? undefined : options.limit,
      continue: token,
      // The token says which state; the server refuses to be told twice.
      resourceVersion: token === undefined ? options.resourceVersion : undefined,
      resourceVersionMatch: token === undefined ? options.resourceVersionMatch : undefined,
    },
    accept: acceptHeader(options.metadataOnly, "list"),
    signal: options.signal,
  });
  const splitter = new ListSplitter((item) => each(objectOf(resource, item)));
  for await (const chunk of response.body) splitter.push(chunk);
  return splitter.end();
}

function text(envelope: JsonObject, field: string): string {
  const value = getPath(envelope, "metadata", field);
  return typeof value === "string" ? value : "";
}
