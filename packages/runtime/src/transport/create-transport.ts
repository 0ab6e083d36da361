import { systemClock } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { CredentialSource } from "./credentials/credential-source.ts";
import { ExecCredentials } from "./credentials/exec-credentials.ts";
import { runProgram } from "./credentials/run-program.ts";
import { materialReader, staticCredentials } from "./credentials/static-credentials.ts";
import { createHttpTransport } from "./http/create-http-transport.ts";
import type { HttpTransport } from "./http/create-http-transport.ts";
import { impersonationHeaders } from "./impersonation-headers.ts";
import type { TransportConfig } from "./transport-config.ts";
import type { Transport } from "./transport.ts";

/** The transport that a configuration describes. Files that it names are read when needed, and again when they change. */
export function createTransport(config: TransportConfig, options: { readonly clock?: Clock } = {}): HttpTransport {
  const { clock = systemClock } = options;
  const ca = config.ca && materialReader(config.ca, clock);
  const http = createHttpTransport({
    server: config.server,
    trust: async () => ({
      ...(ca && { ca: await ca.read() }),
      ...(config.serverName !== undefined && { serverName: config.serverName }),
      ...(config.insecure !== undefined && { insecure: config.insecure }),
    }),
    credentials: credentialsOf(config, clock),
    clock,
    ...(config.proxy !== undefined && { proxy: config.proxy }),
  });
  if (config.impersonate === undefined) return http;
  const headers = impersonationHeaders(config.impersonate);
  const impersonating: Transport = (request) =>
    request.headers?.["impersonate-user"] === undefined
      ? http({ ...request, headers: { ...headers, ...request.headers } })
      : http(request);
  return Object.assign(impersonating, { close: () => http.close() });
}

/** A plugin serves when nothing else is configured, as for kubectl. */
function credentialsOf(config: TransportConfig, clock: Clock): CredentialSource {
  if (config.exec === undefined || config.token !== undefined || config.basic !== undefined) {
    return staticCredentials(config, clock);
  }
  const terminal = process.stdin.isTTY;
  return new ExecCredentials(config.exec, { clock, run: runProgram, terminal, env: process.env });
}
