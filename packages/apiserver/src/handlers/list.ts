import { badRequest, expired, formatGroupVersion } from "@gatewright/kube";
import type { JsonObject, KubeObject, ListMeta } from "@gatewright/kube";
import type { ApiResponse } from "../http/api-request.ts";
import type { Entry, Snapshot } from "../store/store.ts";
import { decodeContinue, encodeContinue } from "./continue-token.ts";
import { JSON_TYPE, encoded } from "./encode.ts";
import { asListItem, typePrefix } from "../resources/wire-form.ts";
import { waitForRevision } from "./freshness.ts";
import { parseListOptions, parseResourceVersion, validateListOptions } from "./list-options.ts";
import type { ListOptions } from "./list-options.ts";
import { negotiate } from "./negotiate.ts";
import { tableOf } from "./resource-call.ts";
import type { ResourceCall } from "./resource-call.ts";
import { selection } from "./selection.ts";
import type { Selection } from "./selection.ts";
import { parseIncludeObject, partialMetadata, table } from "./table.ts";

/** The entries that a list request is about, with the metadata of the list. */
export interface Page {
  readonly entries: readonly Entry[];
  readonly metadata: ListMeta;
}

const COMPACTED = "The resourceVersion for the provided list is too old.";
const CONTINUE_EXPIRED =
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";

/** Answers a list: stored bytes joined together where nothing has to be changed in them. */
export async function listObjects(call: ResourceCall): Promise<ApiResponse> {
  const { request } = call;
  const options = parseListOptions(request.query);
  validateListOptions(options, false);
  const representation = negotiate(request.headers, request.query, true, call.resource.custom);
  const page = await readPage(call, options);
  const { media, as, metaVersion, pretty } = representation;
  if (media === "json" && as === "object" && !pretty && call.resource.servesStoredBytes(call.version.version)) {
    return joined(call, withContinue(call, page));
  }
  const objects = await converted(call, page.entries);
  if (as === "table") {
    const include = parseIncludeObject(request.query);
    const shape = { columns: call.version.columns, metaVersion, include, now: call.deps.clock.now() };
    return encoded(200, table(objects, page.metadata, shape), representation);
  }
  if (as === "partial-list") {
    const list: JsonObject = {
      kind: "PartialObjectMetadataList",
      apiVersion: `meta.k8s.io/${metaVersion}`,
      metadata: page.metadata,
      items: objects.map((object) => partialMetadata(object, metaVersion)),
    };
    return encoded(200, list, representation);
  }
  return encoded(200, listOf(call, objects, withContinue(call, page).metadata), representation);
}

/** Lists of custom resources say that there is no next page; those of built-in kinds say nothing. */
function withContinue(call: ResourceCall, page: Page): Page {
  return call.resource.custom ? { ...page, metadata: { continue: "", ...page.metadata } } : page;
}

/** A list as an object. Items of built-in kinds do not repeat their kind. */
export function listOf(call: ResourceCall, objects: readonly KubeObject[], metadata: ListMeta): JsonObject {
  const { resource, version } = call;
  return {
    kind: resource.listKind,
    apiVersion: formatGroupVersion({ group: resource.group, version: version.version }),
    metadata,
    items: resource.custom ? [...objects] : objects.map(asListItem),
  };
}

async function converted(call: ResourceCall, entries: readonly Entry[]): Promise<readonly KubeObject[]> {
  const { resource, version } = call;
  const stored = tableOf(call);
  const objects = entries.map((entry) => stored.peek(entry));
  return resource.servesStoredBytes(version.version) ? objects : resource.convert(objects, version.version);
}

/** Reads the entries of a list request at the revision that its options ask for. */
export async function readPage(call: ResourceCall, options: ListOptions): Promise<Page> {
  const { resource, version, info } = call;
  const selected = selection(resource, version, tableOf(call), info.namespace, options);
  const { snapshot, start } = await snapshotFor(call, options, selected);
  const limit = options.resourceVersion === "0" ? 0 : Math.max(0, options.limit);
  const entries: Entry[] = [];
  let next: string | undefined;
  for (const entry of snapshot.entries({ prefix: selected.prefix, ...(start !== undefined && { start }) })) {
    if (!selected.matches(entry)) continue;
    if (limit > 0 && entries.length === limit) {
      next = `${entries[limit - 1]!.key}\0`;
      break;
    }
    entries.push(entry);
  }
  const metadata: ListMeta = { resourceVersion: String(snapshot.revision) };
  if (next !== undefined) {
    metadata.continue = encodeContinue({ revision: snapshot.revision, start: next.slice(selected.prefix.length) });
    if (selected.everything) metadata.remainingItemCount = snapshot.count({ prefix: selected.prefix, start: next });
  }
  return { entries, metadata };
}

async function snapshotFor(
  call: ResourceCall,
  options: ListOptions,
  selected: Selection,
): Promise<{ snapshot: Snapshot; start?: string }> {
  const { deps, request } = call;
  const stored = tableOf(call);
  if (options.continueToken !== "") {
    const token = decodeContinue(options.continueToken);
    if (options.resourceVersion !== "" && options.resourceVersion !== "0") {
      throw badRequest("specifying resource version is not allowed when using continue");
    }
    const start = selected.prefix + token.start;
    if (token.revision < 0) return { snapshot: stored.snapshot(), start };
    await waitForRevision(deps.store, deps.clock, token.revision, request.signal);
    const found = stored.snapshotAt(token.revision);
    if (found === "expired" || found === "future") {
      throw expired(CONTINUE_EXPIRED, encodeContinue({ revision: -1, start: token.start }));
    }
    return { snapshot: found, start };
  }
  if (options.resourceVersion === "" || options.resourceVersion === "0") return { snapshot: stored.snapshot() };
  const asked = parseResourceVersion(options.resourceVersion);
  await waitForRevision(deps.store, deps.clock, asked, request.signal);
  const exact = options.resourceVersionMatch === "Exact" || (options.resourceVersionMatch === "" && options.limit > 0);
  if (!exact) return { snapshot: stored.snapshot() };
  const found = stored.snapshotAt(asked);
  if (found === "expired" || found === "future") throw expired(COMPACTED);
  return { snapshot: found };
}

const COMMA = Buffer.from(",");
const OPEN = Buffer.from("{");
const END = Buffer.from("]}\n");

/** The list's JSON as the stored bytes and what stands between them. */
function joined(call: ResourceCall, page: Page): ApiResponse {
  const { resource, version } = call;
  const apiVersion = formatGroupVersion({ group: resource.group, version: version.version });
  const kinds = `"kind":${JSON.stringify(resource.listKind)},"apiVersion":${JSON.stringify(apiVersion)}`;
  const skip = resource.custom ? 0 : typePrefix(resource.kind, apiVersion).length;
  const body: Buffer[] = [Buffer.from(`{${kinds},"metadata":${JSON.stringify(page.metadata)},"items":[`)];
  page.entries.forEach((entry, i) => {
    if (i > 0) body.push(COMMA);
    if (skip > 0) body.push(OPEN, entry.bytes.subarray(skip));
    else body.push(entry.bytes);
  });
  body.push(END);
  return { status: 200, headers: { "content-type": JSON_TYPE }, body };
}
