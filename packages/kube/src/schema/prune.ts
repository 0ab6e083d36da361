import { formatFieldError, invalid } from "../field-error.ts";
import { isObject } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { coerceObjectMeta, MetadataError } from "./object-meta.ts";
import type { SchemaNode } from "./schema-node.ts";
import { ValuePath } from "./value-path.ts";

export interface PruneOptions {
  /** Drop metadata of a wrong type instead of throwing: for objects that are read back, not for requests. */
  readonly dropInvalid?: boolean;
  /** Paths of dropped fields are not wanted; saves the work of naming them. */
  readonly quiet?: boolean;
  /** Leave nulls where they may not be, for the validation to tell. */
  readonly keepNulls?: boolean;
}

interface Walk {
  readonly path: ValuePath;
  readonly quiet: boolean;
  readonly dropInvalid: boolean;
  readonly keepNulls: boolean;
  readonly pruned: string[];
  readonly coerced: string[];
}

const META: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/**
 * Makes an object fit its schema, in place: drops fields that the schema does not declare, nulls of fields that may not be
 * null and have no default, and what ObjectMeta does not know in `metadata` here and in embedded resources.
 *
 * Returns the paths of the unknown fields, in the order in which the API tells them: metadata, then declared parts sorted,
 * then embedded metadata. Throws {@link MetadataError} when metadata cannot be read. Idempotent.
 */
export function prune(object: JsonObject, schema: SchemaNode, options: PruneOptions = {}): string[] {
  const quiet = options.quiet === true;
  const walk: Walk = {
    path: new ValuePath(),
    quiet,
    dropInvalid: options.dropInvalid === true,
    keepNulls: options.keepNulls === true,
    pruned: [],
    coerced: [],
  };
  const metadata: string[] = [];
  if (Object.hasOwn(object, "metadata")) {
    if (object["metadata"] === null) object["metadata"] = {};
    coerceObjectMeta(object["metadata"]!, quiet ? undefined : metadata, walk.dropInvalid);
  }
  pruneFields(object, schema, schema.preserveUnknown, walk, true);
  if (quiet) return [];
  return [...metadata.map((path) => `metadata.${path}`), ...walk.pruned.sort(), ...walk.coerced.sort()];
}

/** Prunes a part of an object, in place, and returns the paths of the unknown fields in it. */
export function prunePart(value: Json, node: SchemaNode): string[] {
  const walk: Walk = {
    path: new ValuePath(),
    quiet: false,
    dropInvalid: false,
    keepNulls: false,
    pruned: [],
    coerced: [],
  };
  if (typeof value === "object" && value !== null) pruneValue(value, node, node.preserveUnknown, walk);
  return walk.pruned;
}

function pruneFields(object: JsonObject, node: SchemaNode | undefined, keep: boolean, walk: Walk, root = false): void {
  for (const key of Object.keys(object)) {
    if ((root || node?.embedded) && META.has(key)) {
      if (!root) coerceMeta(object, key, walk);
      continue;
    }
    const declared = node?.properties?.get(key);
    if (declared === undefined && node?.additional === undefined) {
      if (keep) continue;
      if (!walk.quiet) walk.pruned.push(walk.path.child(key));
      delete object[key];
      continue;
    }
    const below = declared ?? (typeof node?.additional === "object" ? node.additional : undefined);
    const value = object[key]!;
    if (value === null) {
      if (!walk.keepNulls && below && !below.nullable && below.default === undefined) delete object[key];
    } else if (typeof value === "object") {
      walk.path.push(key);
      pruneValue(value, below, below?.preserveUnknown ?? false, walk);
      walk.path.pop();
    }
  }
}

function pruneValue(value: Json[] | JsonObject, node: SchemaNode | undefined, keep: boolean, walk: Walk): void {
  if (!Array.isArray(value)) {
    pruneFields(value, node, keep, walk);
    return;
  }
  const items = node?.items;
  if (keep && !items) return;
  for (const [i, item] of value.entries()) {
    if (typeof item !== "object" || item === null) continue;
    walk.path.push(i);
    pruneValue(item, items, keep || (items?.preserveUnknown ?? false), walk);
    walk.path.pop();
  }
}

/** The type meta and metadata of an embedded resource. */
function coerceMeta(object: JsonObject, key: string, walk: Walk): void {
  const value = object[key]!;
  if (key !== "metadata") {
    if (typeof value === "string") return;
    if (!walk.dropInvalid)
      throw new MetadataError(formatFieldError(invalid(walk.path.child(key), value, "must be a string")));
    delete object[key];
    return;
  }
  if (value === null) {
    object[key] = {};
    return;
  }
  const unknown: string[] = [];
  const told = isObject(value) && !walk.dropInvalid ? JSON.stringify(value) : "";
  try {
    coerceObjectMeta(value, walk.quiet ? undefined : unknown, walk.dropInvalid);
  } catch (error) {
    if (!(error instanceof MetadataError)) throw error;
    if (walk.dropInvalid) return;
    const shown: Json = told === "" ? value : (JSON.parse(told) as Json);
    throw new MetadataError(formatFieldError(invalid(walk.path.child(key), shown, error.message)));
  }
  for (const path of unknown) walk.coerced.push(`${walk.path.child("metadata")}.${path}`);
}
