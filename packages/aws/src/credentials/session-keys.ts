import type { Credentials } from "@gatewright/aws-wire/types/sts";
import { CredentialsError } from "./credentials-error.ts";
import type { ExpiringCredentials } from "./kept-credentials.ts";

/** The keys in an answer of STS. */
export function sessionKeys(
  answer: { readonly Credentials?: Credentials | undefined },
  who: string,
): ExpiringCredentials {
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = answer.Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || Expiration === undefined) {
    throw new CredentialsError({
      code: "MalformedAnswer",
      message: `${who} answered without keys`,
      remedy: "Check that the endpoint is AWS's STS.",
    });
  }
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  return { credentials, expires: Expiration };
}
