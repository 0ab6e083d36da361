import { hash } from "node:crypto";
import type { Immutable } from "@gatewright/kube";
import type { SecretsManagerSecret } from "@gatewright/resources";
import type { Given } from "../../engine/given.ts";

export type SecretSpec = Immutable<SecretsManagerSecret["spec"]>;

const REFERENCES = ["secretStringRef", "secretBinaryRef"] as const;

/** Where the spec says that the value comes from. */
export function referenceOf(spec: SecretSpec): (typeof REFERENCES)[number] | undefined {
  return REFERENCES.find((path) => spec[path] !== undefined);
}

/**
 * The id of the version that the value makes: another one when the Secret has another value. AWS takes it as token, so that a value
 * is written once however often that is tried.
 */
export function versionOf(spec: SecretSpec, given: Given): string | undefined {
  const path = referenceOf(spec);
  const version = path && given.version(path);
  return version === undefined ? undefined : hash("sha256", JSON.stringify([spec.secretName, path, version]));
}

/** The value as requests carry it; undefined when the spec gives none. */
export function valueOf(
  spec: SecretSpec,
  given: Given,
): { readonly SecretString: string } | { readonly SecretBinary: Uint8Array } | undefined {
  const path = referenceOf(spec);
  const value = path && given.value(path);
  if (value === undefined) return undefined;
  return path === "secretStringRef" ? { SecretString: value } : { SecretBinary: Buffer.from(value, "base64") };
}
