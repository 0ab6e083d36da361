import type { AwsCredentials } from "@gatewright/aws-wire";
import type { CredentialSource } from "../caller.ts";

/** Always the same keys. */
export function staticCredentials({ accessKeyId, secretAccessKey, sessionToken }: AwsCredentials): CredentialSource {
  const kept = Object.freeze({ accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) });
  return async () => kept;
}
