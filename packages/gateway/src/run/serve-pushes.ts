import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { ServerCredentials } from "@grpc/grpc-js";
import type { CancelTimer, Clock } from "@gatewright/ports";
import type { Log } from "@gatewright/telemetry";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import { serveConfiguration } from "../control/serve-configuration.ts";
import type { ConfigurationServer, ServeOptions } from "../control/serve-configuration.ts";

type PushSettings = NonNullable<GatewaySettings["configurationServer"]>;

/** How often the certificate's files are looked at. */
const LOOK_MS = 60_000;

/**
 * Serves the calls by which objects are pushed: to those with a certificate of the settings' authority; without TLS, to whoever is on
 * this machine. When the files of the certificate have changed it is served with the new ones, at the same port; files that are no
 * certificate are logged and the ones before go on.
 */
export async function servePushes(
  { address, port, tls }: PushSettings,
  options: Omit<ServeOptions, "address" | "port" | "credentials">,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  signal: AbortSignal,
): Promise<ConfigurationServer> {
  if (tls === undefined)
    return serveConfiguration({ ...options, address, port, credentials: ServerCredentials.createInsecure() });
  let files = await read(tls, signal);
  let server = await serveConfiguration({ ...options, address, port, credentials: credentialsOf(files) });
  const bound = server.port;
  let cancel: CancelTimer = () => {};
  let isClosed = false;
  const look = async (): Promise<void> => {
    try {
      const found = await read(tls, signal);
      if (!isClosed && found.some((bytes, at) => !bytes.equals(files[at] ?? Buffer.alloc(0)))) {
        const credentials = credentialsOf(found);
        server.close();
        server = await serveConfiguration({ ...options, address, port: bound, credentials });
        files = found;
        log.info("Pushes are taken with a new certificate", { file: tls.certFile });
      }
    } catch (error) {
      if (!isClosed) log.error("The certificate for pushes cannot be used; the one before goes on", { error });
    }
    if (isClosed) server.close();
    else cancel = clock.timer(LOOK_MS, () => void look());
  };
  cancel = clock.timer(LOOK_MS, () => void look());
  return {
    port: bound,
    close() {
      isClosed = true;
      cancel();
      server.close();
    },
  };
}

type Files = readonly [ca: Buffer, key: Buffer, certificate: Buffer];

async function read(tls: NonNullable<PushSettings["tls"]>, signal: AbortSignal): Promise<Files> {
  const [ca, key, certificate] = await Promise.all(
    [tls.caFile, tls.keyFile, tls.certFile].map((file) => readFile(file, { signal })),
  );
  if (ca === undefined || key === undefined || certificate === undefined) throw new TypeError("three files were read");
  return [ca, key, certificate];
}

/** Throws when key and certificate are none, or do not go together. */
function credentialsOf([ca, key, cert]: Files): ServerCredentials {
  createSecureContext({ ca, key, cert });
  return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: cert }], true);
}
