import { readFile } from "node:fs/promises";
import { ChannelCredentials } from "@grpc/grpc-js";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";

/** How the operator is dialled: encrypted unless the settings say otherwise. The files are read at each call. */
export async function operatorCredentials(
  { tls }: NonNullable<GatewaySettings["operator"]>,
  signal: AbortSignal,
): Promise<ChannelCredentials> {
  if (!tls.enabled) return ChannelCredentials.createInsecure();
  const read = async (file: string | undefined): Promise<Buffer | null> =>
    file === undefined ? null : readFile(file, { signal });
  const [ca, key, cert] = [await read(tls.caFile), await read(tls.keyFile), await read(tls.certFile)];
  return ChannelCredentials.createSsl(ca, key, cert, { rejectUnauthorized: !tls.insecureSkipVerify });
}
