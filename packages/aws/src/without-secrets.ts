import type { AwsCredentials } from "@gatewright/aws-wire";

/**
 * A message of AWS without what belongs to the credentials: for a wrong signature it repeats the signed request, session token and
 * all.
 */
export function withoutSecrets(message: string, credentials: AwsCredentials): string {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  let told = (message.split("The Canonical String", 1)[0] ?? "").trim();
  for (const secret of [sessionToken, secretAccessKey, accessKeyId]) {
    // Shorter ones are those of a laptop, which are known to all and part of ordinary words.
    if (secret !== undefined && secret.length >= 8) told = told.replaceAll(secret, "…");
  }
  return told;
}
