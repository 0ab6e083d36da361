import type { CredentialSource } from "../caller.ts";
import { createAws } from "../create-aws.ts";
import type { Send } from "../send.ts";
import { containerCredentials } from "./container-credentials.ts";
import type { ContainerOptions } from "./container-credentials.ts";
import { CredentialsError } from "./credentials-error.ts";
import type { KeptPorts } from "./kept-credentials.ts";
import { staticCredentials } from "./static-credentials.ts";
import type { ReadFile } from "./token-file.ts";
import { webIdentity } from "./web-identity.ts";

export interface EnvironmentOptions extends KeptPorts {
  /** `process.env`. */
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Whose STS is asked. */
  readonly region: string;
  /** Of STS, where it is not AWS's own. */
  readonly endpoint?: string;
  readonly send: Send;
  readonly readFile: ReadFile;
  /** Of sessions, when the environment does not name one. Default: gatewright. */
  readonly sessionName?: string;
}

/** Where the ECS agent is; paths of it come alone. */
const ECS_AGENT = "http://169.254.170.2";

/**
 * The keys that a pod was given, by the variables that AWS's own SDKs know, in their order: keys themselves, then a service account
 * token and a role (IRSA), then the agent of the node (EKS Pod Identity, ECS). Undefined: the environment names none of them. The
 * metadata of an instance is not asked: a pod that needs the node's role has more rights than it should. Throws
 * {@link CredentialsError} for an environment that names one of them by half.
 */
export function environmentCredentials(options: EnvironmentOptions): CredentialSource | undefined {
  return keys(options) ?? serviceAccount(options) ?? container(options);
}

function keys({ environment }: EnvironmentOptions): CredentialSource | undefined {
  const accessKeyId = read(environment, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = read(environment, "AWS_SECRET_ACCESS_KEY");
  const sessionToken = read(environment, "AWS_SESSION_TOKEN");
  if (accessKeyId === undefined && secretAccessKey === undefined) return undefined;
  if (accessKeyId === undefined) throw half("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID");
  if (secretAccessKey === undefined) throw half("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  return staticCredentials({ accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) });
}

function serviceAccount(options: EnvironmentOptions): CredentialSource | undefined {
  const { environment, region, endpoint, send, readFile, clock, random } = options;
  const tokenFile = read(environment, "AWS_WEB_IDENTITY_TOKEN_FILE");
  const roleArn = read(environment, "AWS_ROLE_ARN");
  if (tokenFile === undefined) return undefined;
  if (roleArn === undefined) throw half("AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN");
  const unsigned = { region, send, clock, random, ...(endpoint !== undefined && { endpoint }) };
  const { sts } = createAws({ ...unsigned, credentials: () => Promise.reject(notConfigured()) });
  const sessionName = read(environment, "AWS_ROLE_SESSION_NAME") ?? options.sessionName ?? "gatewright";
  return webIdentity({ sts, roleArn, sessionName, tokenFile, readFile, clock, random });
}

function container(options: EnvironmentOptions): CredentialSource | undefined {
  const { environment, send, readFile, clock, random } = options;
  const relative = read(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const full = read(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
  const text = relative === undefined ? full : `${ECS_AGENT}${relative}`;
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || (relative !== undefined && url.origin !== ECS_AGENT)) {
    throw new CredentialsError({
      code: "NotConfigured",
      message: "the environment's address of container credentials is no URL",
      remedy: "Set AWS_CONTAINER_CREDENTIALS_FULL_URI to the URL of the agent.",
    });
  }
  const authorization = authorizationIn(environment);
  const told = authorization === undefined ? {} : { authorization };
  return containerCredentials({ url, ...told, send, readFile, clock, random });
}

function authorizationIn(environment: EnvironmentOptions["environment"]): ContainerOptions["authorization"] {
  const file = read(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (file !== undefined) return { file };
  const token = read(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
  return token === undefined ? undefined : { token };
}

function read(environment: EnvironmentOptions["environment"], name: string): string | undefined {
  const value = environment[name]?.trim();
  return value === "" ? undefined : value;
}

function half(has: string, lacks: string): CredentialsError {
  return new CredentialsError({
    code: "NotConfigured",
    message: `${has} is set and ${lacks} is not`,
    remedy: `Set ${lacks}, or unset ${has}.`,
  });
}

function notConfigured(): CredentialsError {
  return new CredentialsError({
    code: "NotConfigured",
    message: "calls that need keys are not made without any",
    remedy: "Give the operator's service account a role.",
  });
}
