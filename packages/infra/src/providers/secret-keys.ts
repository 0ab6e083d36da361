import type { AwsCredentials } from "@gatewright/aws";
import { isDNS1123Label, isDNS1123Subdomain } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import type { Client } from "@gatewright/runtime";
import { REASONS } from "../reasons.ts";
import { isKeptFromProviders } from "./kept-types.ts";
import type { Refusal } from "./refusal.ts";
import type { Identity, KeyRef } from "./way.ts";

/** Names of namespaces, with commas between them or `*`, whose providers may use a Secret besides those of its own namespace. */
export const ALLOWED_NAMESPACES = "aws-infra-operator.runner.codes/allowed-namespaces";

const PRINTABLE = /^[\x21-\x7e]{1,8192}$/;

/** Credentials as they are in Secrets, and which version of them it is. */
export interface SecretKeys {
  readonly credentials: AwsCredentials;
  readonly version: string;
}

/** Why there are no credentials. `gone`: a Secret of the provider's own namespace is not there, which is another thing than an empty one. */
export type MissingKeys = Refusal & { readonly gone: boolean };

/**
 * Reads credentials from the server itself, so that they are as new as can be. Of a Secret of another namespace that does not let this
 * one in nothing is told, not even whether it exists. Rejects only when the server gives no answer.
 */
export async function readSecretKeys(
  client: Client,
  { id, secret, token }: Extract<Identity, { from: "secret" }>,
  namespace: string,
  signal: AbortSignal,
): Promise<SecretKeys | MissingKeys> {
  const refs = [id, secret, ...(token === undefined ? [] : [token])];
  const secrets = new Map<string, Immutable<core.Secret>>();
  for (const ref of refs) {
    if (secrets.has(placeOf(ref))) continue;
    const { namespace: within, name } = ref;
    const found = canBe(ref) ? await client.for(core.Secret).find({ namespace: within, name }, { signal }) : undefined;
    if (found === undefined || !letsIn(found, namespace))
      return missing(nothingThere(ref, namespace), ref.namespace === namespace);
    if (isKeptFromProviders(found.type)) return missing(`Secret ${placeOf(ref)} is of type ${found.type}.`);
    secrets.set(placeOf(ref), found);
  }
  const values = new Map<KeyRef, string>();
  for (const ref of refs) {
    const value = valueOf(secrets.get(placeOf(ref)), ref.key);
    if (value !== undefined && !PRINTABLE.test(value))
      return missing(`${ref.key} of ${placeOf(ref)} is no key of AWS.`);
    if (value !== undefined) values.set(ref, value);
    else if (ref.optional !== true) return missing(`Secret ${placeOf(ref)} has no value under ${ref.key}.`);
  }
  const sessionToken = token === undefined ? undefined : values.get(token);
  return {
    credentials: {
      accessKeyId: values.get(id) ?? "",
      secretAccessKey: values.get(secret) ?? "",
      ...(sessionToken !== undefined && { sessionToken }),
    },
    version: [...secrets].map(([place, { metadata }]) => `${place}@${metadata.resourceVersion ?? ""}`).join(","),
  };
}

/** Where a Secret is: `namespace/name`. */
export function placeOf({ namespace, name }: KeyRef): string {
  return `${namespace}/${name}`;
}

/** Of what can be no name there is no Secret: the schema refuses it, but older objects may have it. */
function canBe({ namespace, name }: KeyRef): boolean {
  return isDNS1123Label(namespace).length === 0 && isDNS1123Subdomain(name).length === 0;
}

function letsIn({ metadata }: Immutable<core.Secret>, namespace: string): boolean {
  if (metadata.namespace === namespace) return true;
  const allowed = metadata.annotations?.[ALLOWED_NAMESPACES] ?? "";
  return allowed.split(",").some((each) => each.trim() === "*" || each.trim() === namespace);
}

/** Editors and shells put line breaks after values; no key of AWS begins or ends with white space. */
function valueOf(secret: Immutable<core.Secret> | undefined, key: string): string | undefined {
  const data = secret?.data ?? {};
  const encoded = Object.hasOwn(data, key) ? data[key] : undefined;
  const value = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString().trim();
  return value === "" ? undefined : value;
}

function nothingThere(ref: KeyRef, namespace: string): string {
  return ref.namespace === namespace
    ? `There is no Secret ${ref.name}.`
    : `There is no Secret ${placeOf(ref)} that lets providers of namespace ${namespace} in.`;
}

function missing(message: string, gone = false): MissingKeys {
  return { reason: REASONS.CredentialsMissing, message, gone };
}
