import { deepClone } from "../json/clone.ts";
import { deepEqual } from "../json/equal.ts";
import { getOwn, isObject, setOwn } from "../json/json.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { requestEntityTooLarge } from "../status.ts";
import { patchRejected } from "./patch-error.ts";

const MAX_OPERATIONS = 10_000;
/** Bytes of JSON that all `copy` operations of one patch may add. */
const MAX_COPIED = 3 * 1024 * 1024;

/** Where an operation points: the container, and the key or index in it. */
type Place = { readonly within: JsonObject | Json[]; readonly key: string };

/**
 * Applies a JSON Patch (RFC 6902) as kube-apiserver does, with the habits of its library: null and absent are the same to
 * `test`, `replace` may add a key, negative indexes count from the end. Throws StatusError: 422 when an operation does not
 * apply, 413 for more than 10,000 operations. Neither argument is changed.
 */
export function applyJsonPatch(document: Json, patch: readonly Json[]): Json {
  if (patch.length > MAX_OPERATIONS) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  let root = deepClone(document);
  let copied = 0;
  for (const operation of patch) {
    const op = isObject(operation) ? operation : {};
    const path = getOwn(op, "path");
    if (typeof path !== "string") throw patchRejected("operation missing path field");
    switch (getOwn(op, "op")) {
      case "add":
        add(placeOf(root, path), valueOf(op));
        break;
      case "remove":
        remove(placeOf(root, path));
        break;
      case "replace":
        if (path === "") root = wholeDocument(valueOf(op));
        else replace(placeOf(root, path), valueOf(op));
        break;
      case "move": {
        const from = placeOf(root, fromOf(op));
        const value = get(from);
        remove(from);
        add(placeOf(root, path), value);
        break;
      }
      case "copy": {
        const value = get(placeOf(root, fromOf(op)));
        const target = placeOf(root, path);
        if (value !== null) copied += Buffer.byteLength(JSON.stringify(value));
        if (copied > MAX_COPIED) throw patchRejected(`copies add ${copied} bytes, exceeding the limit ${MAX_COPIED}`);
        add(target, deepClone(value));
        break;
      }
      case "test": {
        const actual = path === "" ? root : get(placeOf(root, path));
        if (!deepEqual(actual, getOwn(op, "value") ?? null)) throw patchRejected(`testing value ${path} failed`);
        break;
      }
      default:
        throw patchRejected("unexpected kind of operation");
    }
  }
  return root;
}

function valueOf(op: JsonObject): Json {
  return deepClone(getOwn(op, "value") ?? null);
}

function fromOf(op: JsonObject): string {
  const from = getOwn(op, "from");
  if (typeof from !== "string") throw patchRejected("operation missing from field");
  return from;
}

function wholeDocument(value: Json): Json {
  if (typeof value !== "object" || value === null)
    throw patchRejected("replace operation value must be object or array");
  return value;
}

const ESCAPES: Readonly<Record<string, string>> = { "~0": "~", "~1": "/" };

/** Follows all but the last step of a pointer. Whatever stands before its first slash is not looked at. */
function placeOf(root: Json, path: string): Place {
  const steps = path
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~[01]/g, (escape) => ESCAPES[escape]!));
  const key = steps.pop();
  if (key === undefined) throw patchRejected(`doc is missing path: ${path}`);
  let within = root;
  for (const step of steps) {
    if (typeof within !== "object" || within === null) break;
    within = get({ within, key: step });
  }
  if (typeof within !== "object" || within === null) throw patchRejected(`doc is missing path: ${path}`);
  return { within, key };
}

/** An index within `[0, size)`, counted from the end where negative. */
function indexOf(key: string, size: number): number {
  const index = /^[-+]?[0-9]+$/.test(key) ? Number(key) : Number.NaN;
  const counted = index < 0 ? index + size : index;
  if (!(counted >= 0 && counted < size)) throw patchRejected(`unable to access invalid index: ${key}`);
  return counted;
}

function get({ within, key }: Place): Json {
  if (Array.isArray(within)) return within[indexOf(key, within.length)]!;
  return getOwn(within, key) ?? null;
}

function add({ within, key }: Place, value: Json): void {
  if (!Array.isArray(within)) setOwn(within, key, value);
  else if (key === "-") within.push(value);
  else within.splice(indexOf(key, within.length + 1), 0, value);
}

function replace({ within, key }: Place, value: Json): void {
  if (Array.isArray(within)) within[indexOf(key, within.length)] = value;
  else setOwn(within, key, value);
}

function remove({ within, key }: Place): void {
  if (Array.isArray(within)) within.splice(indexOf(key, within.length), 1);
  else if (Object.hasOwn(within, key)) delete within[key];
  else throw patchRejected(`unable to remove nonexistent key: ${key}`);
}
