import type { WireResponse } from "@gatewright/aws-wire";
import { deadline } from "@gatewright/ports";
import type { CredentialSource } from "../caller.ts";
import type { Send } from "../send.ts";
import { isContainerHost } from "./container-host.ts";
import { CredentialsError } from "./credentials-error.ts";
import { keptCredentials } from "./kept-credentials.ts";
import type { ExpiringCredentials, KeptPorts } from "./kept-credentials.ts";
import { readToken } from "./token-file.ts";
import type { ReadFile } from "./token-file.ts";

export interface ContainerOptions extends KeptPorts {
  readonly url: URL;
  /** What proves to the agent which pod asks. A file is read anew for every fetch. Default: nothing. */
  readonly authorization?: { readonly file: string } | { readonly token: string };
  readonly readFile: ReadFile;
  readonly send: Send;
}

const ATTEMPT_MS = 5_000;

/** Keys from the agent of the node (EKS Pod Identity, ECS), for as long as they are asked for: see {@link keptCredentials}. */
export function containerCredentials(options: ContainerOptions): CredentialSource {
  const { url, authorization, readFile, send, clock } = options;
  if (!isContainerHost(url)) throw notAllowed(url);
  return keptCredentials(async (signal) => {
    const shown = authorization === undefined ? undefined : await tokenOf(authorization, readFile, signal);
    const headers = {
      host: url.host,
      accept: "application/json",
      ...(shown !== undefined && { authorization: shown }),
    };
    using limited = deadline(clock, ATTEMPT_MS, signal);
    let answer: WireResponse;
    try {
      const request = { method: "GET", path: `${url.pathname}${url.search}`, headers, body: new Uint8Array() };
      answer = await send(url, request, limited.signal);
    } catch (error) {
      signal.throwIfAborted();
      throw problem("NoAnswer", `${url.host} gave no answer`, error);
    }
    return keysIn(answer, url);
  }, options);
}

async function tokenOf(
  from: NonNullable<ContainerOptions["authorization"]>,
  readFile: ReadFile,
  signal: AbortSignal,
): Promise<string> {
  if ("file" in from) return readToken(readFile, from.file, signal);
  if (/[^\x20-\x7e]/.test(from.token)) throw problem("TokenUnusable", "the authorization token is none");
  return from.token;
}

function keysIn({ status, body }: WireResponse, url: URL): ExpiringCredentials {
  // The agent's words may hold what it was sent, so its status is all that is told.
  if (status >= 500 || status === 429) throw problem("NoAnswer", `${url.host} answered with status ${status}`);
  if (status !== 200) throw problem("Refused", `${url.host} refused with status ${status}`);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = fieldsOf(body);
  const expires = Date.parse(Expiration ?? "");
  if (!AccessKeyId || !SecretAccessKey || !Token || Number.isNaN(expires)) {
    throw problem("MalformedAnswer", `${url.host} answered without keys`);
  }
  return { credentials: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token }, expires };
}

type Fields = Partial<Record<"AccessKeyId" | "SecretAccessKey" | "Token" | "Expiration", string>>;

function fieldsOf(body: Uint8Array): Fields {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString());
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === "string"));
  } catch {
    // Not JSON: there are no keys in it.
    return {};
  }
}

function problem(code: CredentialsError["code"], message: string, cause?: unknown): CredentialsError {
  const remedy = "Check the Pod Identity agent of the node and the association of the service account.";
  return new CredentialsError({ code, message, remedy }, cause === undefined ? undefined : { cause });
}

function notAllowed({ host }: URL): CredentialsError {
  return new CredentialsError({
    code: "HostNotAllowed",
    message: `keys are not asked for at ${host} without HTTPS`,
    remedy: "Set AWS_CONTAINER_CREDENTIALS_FULL_URI to HTTPS, to this machine, or to the agent of ECS or EKS.",
  });
}
