import type { AwsCredentials } from "@gatewright/aws-wire";

const LONGEST = 1_000;

/**
 * A message of AWS without what belongs to the credentials: for a wrong signature it repeats the signed request, session token and
 * all. Cut off where it gets long.
 */
export function withoutSecrets(message: string, credentials: AwsCredentials): string {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  let told = (message.split("The Canonical String", 1)[0] ?? "").trim();
  for (const secret of [sessionToken, secretAccessKey, accessKeyId]) {
    // Shorter ones are those of a laptop, which are known to all and part of ordinary words.
    if (secret !== undefined && secret.length >= 8) told = told.replaceAll(secret, "…");
  }
  return told.length > LONGEST ? `${told.slice(0, LONGEST)}…` : told;
}
