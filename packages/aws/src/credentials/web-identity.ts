import { AwsCallError } from "../aws-call-error.ts";
import type { CredentialSource } from "../caller.ts";
import type { StsCalls } from "../services/sts.ts";
import { keptCredentials } from "./kept-credentials.ts";
import type { KeptPorts } from "./kept-credentials.ts";
import { sessionKeys } from "./session-keys.ts";
import { readToken } from "./token-file.ts";
import type { ReadFile } from "./token-file.ts";

export interface WebIdentityOptions extends KeptPorts {
  /** STS; the call is not signed. */
  readonly sts: Pick<StsCalls, "assumeRoleWithWebIdentity">;
  readonly roleArn: string;
  readonly sessionName: string;
  /** Read anew for every fetch: the kubelet replaces it well before the token in it ends. */
  readonly tokenFile: string;
  readonly readFile: ReadFile;
  readonly durationSeconds?: number;
}

/** Keys of a role for a pod's service account token (IRSA), for as long as they are asked for: see {@link keptCredentials}. */
export function webIdentity(options: WebIdentityOptions): CredentialSource {
  const { sts, roleArn, sessionName, tokenFile, readFile, durationSeconds } = options;
  return keptCredentials(async (signal) => {
    const WebIdentityToken = await readToken(readFile, tokenFile, signal);
    const input = {
      RoleArn: roleArn,
      RoleSessionName: sessionName,
      WebIdentityToken,
      ...(durationSeconds !== undefined && { DurationSeconds: durationSeconds }),
    };
    try {
      return sessionKeys(await sts.assumeRoleWithWebIdentity(input, { signal }), "STS");
    } catch (error) {
      throw withoutToken(error, WebIdentityToken);
    }
  }, options);
}

/** Who refuses a token may repeat it. */
function withoutToken(error: unknown, token: string): unknown {
  if (!(error instanceof AwsCallError) || !error.said.includes(token)) return error;
  const { kind, code, service, operation, requestId } = error;
  return new AwsCallError({ kind, code, service, operation, requestId, message: error.said.replaceAll(token, "…") });
}
