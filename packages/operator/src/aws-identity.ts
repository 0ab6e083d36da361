import { environmentCredentials } from "@gatewright/aws";
import type { CredentialSource, ReadFile, Send } from "@gatewright/aws";
import type { Clock, Random } from "@gatewright/ports";
import type { AwsSettings } from "./part-settings.ts";

export type Environment = Readonly<Partial<Record<string, string>>>;

export interface AwsIdentityOptions {
  readonly environment: Environment;
  readonly send: Send;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  readonly random: Random;
}

/** Who the operator is to AWS. */
export interface AwsIdentity {
  /** Undefined: nobody. */
  readonly credentials: CredentialSource | undefined;
  /** The token of its service account, where it has one for AWS (IRSA): roles of providers can trust it. */
  readonly webIdentity: { readonly tokenFile: string; readonly readFile: ReadFile } | undefined;
}

/** STS of any region knows who we are; this one is asked where none is named. */
const ANY_REGION = "us-east-1";

/**
 * Who the operator is to AWS, by the variables that AWS's own SDKs know: keys, a service account's token and role (IRSA), or the agent
 * of the node (EKS Pod Identity). Throws `CredentialsError` for an environment that names one of them by half.
 */
export function awsIdentity({ region, endpoint }: AwsSettings, options: AwsIdentityOptions): AwsIdentity {
  const { environment, readFile } = options;
  const credentials = environmentCredentials({
    ...options,
    region: region ?? ANY_REGION,
    ...(endpoint !== undefined && { endpoint }),
  });
  const tokenFile = environment["AWS_WEB_IDENTITY_TOKEN_FILE"];
  return {
    credentials,
    webIdentity: tokenFile === undefined || tokenFile === "" ? undefined : { tokenFile, readFile },
  };
}
