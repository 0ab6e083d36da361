import { getOwn } from "@gatewright/kube";
import type { Immutable, JsonObject } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import type { Given, Reference } from "../engine/given.ts";
import { isKeptFromAll } from "../providers/kept-types.ts";
import { kindNamed, referencesOf } from "./known-kind.ts";
import type { KnownKind } from "./known-kind.ts";
import type { ReferenceReader } from "./reference-reader.ts";
import type { SecretVersions } from "./secret-versions.ts";

/** What the references of a spec lead to, or the first that leads nowhere yet, in words for its owner. */
export type Gathered =
  | { readonly given: Given }
  | { readonly missing: { readonly path: string; readonly message: string } };

interface Found {
  readonly value: string;
  readonly version?: string;
}

type Answer = Found | { readonly missing: string };

/** Follows the references of an object. What is missing is no error: whoever makes it wakes the object. */
export async function gatherGiven(
  reader: ReferenceReader,
  versions: SecretVersions,
  kinds: readonly KnownKind[],
  kind: KnownKind,
  object: Immutable<Managed>,
): Promise<Gathered> {
  const found = new Map<string, Found>();
  for (const reference of referencesOf(kind, object)) {
    const answer =
      reference.to === "secret"
        ? await fromSecret(reader, versions, object, reference)
        : await fromObject(reader, kinds, object, reference);
    const { path } = reference;
    if ("missing" in answer) return { missing: { path, message: `${path}: ${answer.missing}` } };
    found.set(path, answer);
  }
  return { given: { value: (path) => found.get(path)?.value, version: (path) => found.get(path)?.version } };
}

async function fromSecret(
  reader: ReferenceReader,
  versions: SecretVersions,
  { metadata: { namespace = "" } }: Immutable<Managed>,
  { name, key, as }: Extract<Reference, { to: "secret" }>,
): Promise<Answer> {
  const secret = await reader.secret(namespace, name);
  if (secret === undefined) return { missing: `there is no Secret ${name} yet.` };
  if (secret === "forbidden") return { missing: `Secret ${name} must not be read.` };
  if (isKeptFromAll(secret.type))
    return { missing: `Secret ${name} is of type ${secret.type}, which no reference may lead to.` };
  const encoded = getOwn(secret.data ?? {}, key);
  if (typeof encoded !== "string") return { missing: `Secret ${name} has no key ${key}.` };
  const bytes = Buffer.from(encoded, "base64");
  const version = versions.of(secret, key);
  if (as === "base64") return { value: bytes.toString("base64"), version };
  try {
    return { value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes), version };
  } catch {
    return { missing: `what Secret ${name} has under ${key} is not text.` };
  }
}

async function fromObject(
  reader: ReferenceReader,
  kinds: readonly KnownKind[],
  object: Immutable<Managed>,
  { kind: named, name, output }: Extract<Reference, { to: "output" }>,
): Promise<Answer> {
  const { resource, outputsInStatus = {} } = kindNamed(kinds, named);
  const other = await reader.object(resource, object.metadata.namespace ?? "", name);
  if (other === undefined) return { missing: `there is no ${named} ${name} yet.` };
  const isNew = object.status?.resource === undefined;
  if (isNew && other.metadata.deletionTimestamp !== undefined) return { missing: `${named} ${name} is being deleted.` };
  const field = getOwn(outputsInStatus, output);
  if (typeof field !== "string") throw new TypeError(`the status of ${named} does not tell ${output}`);
  const value = getOwn((other.status ?? {}) as unknown as JsonObject, field);
  if (typeof value !== "string" && typeof value !== "number")
    return { missing: `${named} ${name} is not there in AWS yet.` };
  return { value: String(value) };
}
