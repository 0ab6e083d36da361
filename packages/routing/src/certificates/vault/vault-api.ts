import type { KeyPair } from "@gatewright/certificates";
import { getPath } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";

/** A call to Vault. `token` is secret. */
export interface VaultRequest {
  /** Below `/v1/`. */
  readonly path: string;
  readonly token: string | undefined;
  /** May hold secrets. */
  readonly body: Readonly<Record<string, Json>>;
}

/** What came back, whatever the status. */
export interface VaultReply {
  readonly status: number;
  readonly body: Json | undefined;
}

/** Asks Vault by POST. Rejects when there is no reply. */
export type AskVault = (request: VaultRequest, signal: AbortSignal) => Promise<VaultReply>;

/** Vault refused, or said what we do not understand. The message holds no secret. */
export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly code: "denied" | "away" | "refused" | "malformed";
  /** Whether asking again later can help. */
  readonly retryable: boolean;

  constructor(code: VaultError["code"], message: string) {
    super(message);
    this.code = code;
    this.retryable = code === "away";
  }
}

/** A token, from the token of a service account. */
export async function logIn(
  ask: AskVault,
  { mount, role, jwt }: { readonly mount: string; readonly role: string; readonly jwt: string },
  signal: AbortSignal,
): Promise<string> {
  const reply = await ask({ path: `auth/${mount}/login`, token: undefined, body: { role, jwt } }, signal);
  const token = getPath(good(reply, `logging in as ${role} at auth/${mount}`), "auth", "client_token");
  if (typeof token !== "string") throw new VaultError("malformed", "Vault's answer to the login has no token");
  return token;
}

export interface PkiRequest {
  readonly mount: string;
  readonly role: string;
  readonly commonName: string;
  readonly hosts: readonly string[];
  readonly addresses: readonly string[];
  readonly ttlSeconds: number;
}

/** A new key and its certificate with those between it and the root, and the authorities that vouch for it. */
export async function issue(
  ask: AskVault,
  token: string,
  { mount, role, commonName, hosts, addresses, ttlSeconds }: PkiRequest,
  signal: AbortSignal,
): Promise<{ readonly pair: KeyPair; readonly bundle: string }> {
  const body = {
    common_name: commonName,
    alt_names: hosts.join(","),
    ip_sans: addresses.join(","),
    ttl: `${ttlSeconds}s`,
    private_key_format: "pkcs8",
  };
  const answer = good(
    await ask({ path: `${mount}/issue/${role}`, token, body }, signal),
    `issuing from ${mount} as ${role}`,
  );
  const text = (name: string): string | undefined => {
    const value = getPath(answer, "data", name);
    return typeof value === "string" ? `${value.trim()}\n` : undefined;
  };
  const [certificate, key, authority] = [text("certificate"), text("private_key"), text("issuing_ca")];
  if (certificate === undefined || key === undefined || authority === undefined)
    throw new VaultError("malformed", "Vault's certificate lacks a part: certificate, private_key or issuing_ca");
  const listed = getPath(answer, "data", "ca_chain");
  const chain = Array.isArray(listed) ? listed.filter((each) => typeof each === "string").map(trimmed) : [];
  const between = chain.slice(0, -1).join("");
  return { pair: { certificate: certificate + between, key }, bundle: (chain.at(-1) ?? authority) + between };
}

function trimmed(text: string): string {
  return `${text.trim()}\n`;
}

function good({ status, body }: VaultReply, doing: string): Json {
  if (status >= 200 && status < 300 && body !== undefined) return body;
  const errors = getPath(body, "errors");
  const words = Array.isArray(errors) ? errors.filter((each) => typeof each === "string").join("; ") : "";
  const told = `Vault answered ${status} to ${doing}${words === "" ? "" : `: ${words}`}`;
  if (status === 403) throw new VaultError("denied", `${told}. Check the role, its policy and the token's audience`);
  if (status === 429 || status === 473 || status >= 500) throw new VaultError("away", told);
  throw new VaultError("refused", told);
}
