import { isFieldName, isFieldValue } from "../../exchange/field-rules.ts";
import type { Around } from "../../filters/around.ts";
import type { KeptState } from "../../kept/kept-state.ts";
import type { Clock } from "@gatewright/ports";
import type { FetchJson } from "../../outbound/fetch-json.ts";
import type { UpstreamRequest } from "../../upstream/upstream.ts";
import type { UpstreamChanges } from "../changed-upstream.ts";
import { specMs } from "../../configuration/spec-duration.ts";
import { ClientCredentials } from "./client-credentials.ts";

/** The field `authentication` of backends. */
export interface BackendAuthenticationSpec {
  readonly type: string;
  readonly basic?: {
    readonly enabled: boolean;
    readonly username?: string;
    readonly password?: string;
    readonly vaultPath?: string;
  };
  readonly jwt?: {
    readonly enabled: boolean;
    readonly tokenSource: string;
    readonly staticToken?: string;
    readonly oidc?: {
      readonly issuerUrl: string;
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly clientSecretRef?: object;
      readonly scopes?: readonly string[];
      readonly tokenCacheTTL?: string;
    };
    readonly headerName?: string;
    readonly headerPrefix?: string;
  };
  readonly mtls?: {
    readonly enabled: boolean;
    readonly certFile?: string;
    readonly keyFile?: string;
    readonly caFile?: string;
    readonly vault?: { readonly enabled: boolean };
  };
}

/** What credentials are made with. */
export interface CredentialsAround {
  readonly clock: Clock;
  readonly kept: KeptState;
  readonly fetchJson: FetchJson;
  readonly note: Around["note"];
}

/** The certificate that the gateway shows because of `authentication`, if it does. */
export function shownCertificate(
  spec: BackendAuthenticationSpec | undefined,
  note: Around["note"],
): BackendAuthenticationSpec["mtls"] {
  if (spec?.type !== "mtls" || spec.mtls?.enabled !== true) return undefined;
  if (spec.mtls.vault?.enabled === true) notSupported("mtls.vault", "certificates from Vault", note);
  return spec.mtls;
}

/** The field that shows a backend who sends requests to it, if it wants one. What the client sent in it is replaced. */
export function backendCredentials(
  spec: BackendAuthenticationSpec | undefined,
  id: string,
  around: CredentialsAround,
): UpstreamChanges | undefined {
  const { note } = around;
  if (spec?.type === "basic" && spec.basic?.enabled === true) {
    const { username, password, vaultPath } = spec.basic;
    if (username !== undefined && password !== undefined) {
      return fixed("authorization", `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
    }
    if (vaultPath !== undefined) notSupported("basic.vaultPath", "credentials from Vault", note);
  }
  return spec?.type === "jwt" && spec.jwt?.enabled === true ? tokens(spec.jwt, id, around) : undefined;
}

function tokens(
  jwt: NonNullable<BackendAuthenticationSpec["jwt"]>,
  id: string,
  around: CredentialsAround,
): UpstreamChanges | undefined {
  const { note } = around;
  const name = (jwt.headerName ?? "Authorization").toLowerCase();
  const prefix = jwt.headerPrefix ?? "Bearer";
  const written = (token: string): string => (prefix === "" ? token : `${prefix} ${token}`);
  if (!isFieldName(name) || !isFieldValue(written("x"))) {
    const message = "headerName and headerPrefix cannot be sent in a header field";
    note({ field: "spec.authentication.jwt", message, severity: "error" });
    return undefined;
  }
  if (jwt.tokenSource === "static" && jwt.staticToken !== undefined) {
    const value = written(jwt.staticToken.trim());
    if (isFieldValue(value)) return fixed(name, value);
    const message = "the token cannot be sent in a header field";
    note({ field: "spec.authentication.jwt.staticToken", message, severity: "error" });
    return undefined;
  }
  if (jwt.tokenSource === "vault") notSupported("jwt.vaultPath", "tokens from Vault", note);
  if (jwt.tokenSource !== "oidc" || jwt.oidc === undefined) return undefined;
  const { issuerUrl, clientId, clientSecret, scopes = [], tokenCacheTTL } = jwt.oidc;
  if (clientSecret === undefined) {
    notSupported("jwt.oidc.clientSecretRef", "secrets of clients that are named by clientSecretRef", note);
    return undefined;
  }
  const content = { issuerUrl, clientId, clientSecret, scopes, maxAgeMs: specMs(tokenCacheTTL) };
  const source = around.kept.of("clientCredentials", id, content, () => {
    const made = new ClientCredentials(content, around.fetchJson, around.clock);
    return { state: made, dispose: () => made.stop() };
  });
  return {
    request(request) {
      const token = source.token();
      return typeof token === "string"
        ? withField(request, name, written(token))
        : token.then((value) => withField(request, name, written(value)));
    },
  };
}

const fixed = (name: string, value: string): UpstreamChanges => ({
  request: (request) => withField(request, name, value),
});

function withField(request: UpstreamRequest, name: string, value: string): UpstreamRequest {
  const fields = request.fields.copy();
  fields.set(name, value);
  return { ...request, fields };
}

function notSupported(field: string, what: string, note: Around["note"]): void {
  const message = `${what} are not supported here: requests are sent without`;
  note({ field: `spec.authentication.${field}`, message, severity: "warning" });
}
