import type { Clock } from "@gatewright/ports";
import { loadTransportConfig } from "./config/load-transport-config.ts";
import type { LoadOptions } from "./config/load-transport-config.ts";
import { createTransport } from "./create-transport.ts";
import type { HttpTransport } from "./http/create-http-transport.ts";
import type { TransportConfig } from "./transport-config.ts";

/** A transport, and the configuration that it was made from. */
export interface LoadedTransport {
  readonly transport: HttpTransport;
  readonly config: TransportConfig;
}

/** A transport to the API server that kubeconfig files or the pod's service account name. Connects with the first request. */
export async function loadTransport(options: LoadOptions & { readonly clock?: Clock } = {}): Promise<LoadedTransport> {
  const config = await loadTransportConfig(options);
  return { config, transport: createTransport(config, options) };
}
