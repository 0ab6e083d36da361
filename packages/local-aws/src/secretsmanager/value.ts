import { uuid } from "@gatewright/ports";
import type { AwsWorld } from "../world.ts";
import type { SecretRecord, SecretValue, VersionRecord } from "./records.ts";
import { exists, invalidParameter, invalidRequest } from "./refusals.ts";
import { sameValue, withVersion } from "./versions.ts";

const LARGEST_BYTES = 65_536;

/** How requests carry a value. */
interface GivenValue {
  readonly SecretString?: string | undefined;
  readonly SecretBinary?: Uint8Array | undefined;
}

/** Refuses requests without the token that SDKs make up by themselves: who comes without one has to make it. */
export function checkToken({ ClientRequestToken: token }: { readonly ClientRequestToken?: string | undefined }): void {
  if (token !== undefined) return;
  throw invalidRequest("You must provide a ClientRequestToken value. We recommend a UUID-type value.");
}

/** The value of a request; undefined when it has none. */
export function givenValue({ SecretString, SecretBinary }: GivenValue): SecretValue | undefined {
  if (SecretString !== undefined && SecretBinary !== undefined) {
    throw invalidParameter(
      "You can't specify both a binary secret value and a string secret value in the same secret.",
    );
  }
  const size = SecretBinary?.length ?? Buffer.byteLength(SecretString ?? "");
  if (size > LARGEST_BYTES) {
    throw invalidParameter(`The secret value is too large: it has ${size} bytes, and may have ${LARGEST_BYTES}.`);
  }
  if (SecretBinary !== undefined) {
    if (size === 0) throw invalidParameter("The binary secret value must not be empty.");
    return { base64: Buffer.from(SecretBinary).toString("base64") };
  }
  return SecretString === undefined ? undefined : { text: SecretString };
}

/**
 * Adds a version with a value. The token is the id of the version: asked again for the same, nothing changes; a token that stands for
 * another value is refused.
 */
export function addVersion<T extends Pick<SecretRecord, "arn" | "versions">>(
  { clock, random }: AwsWorld,
  secret: T,
  value: SecretValue,
  { token, stages }: { readonly token: string | undefined; readonly stages: readonly string[] },
): { readonly secret: T; readonly version: VersionRecord; readonly isNew: boolean } {
  const before = secret.versions.find(({ id }) => id === token);
  if (before !== undefined) {
    if (sameValue(before.value, value)) return { secret, version: before, isNew: false };
    throw exists(
      `You can't use ClientRequestToken ${token} because that value is already in use for a version of secret ${secret.arn}.`,
    );
  }
  const id = token ?? uuid(random);
  const versions = withVersion(secret.versions, { id, value, createdAt: clock.now() }, stages);
  const version = versions.find((each) => each.id === id);
  if (version === undefined) throw new Error("a version that was added is not there");
  return { secret: { ...secret, versions }, version, isNew: true };
}
