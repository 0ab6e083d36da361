import { readFile } from "node:fs/promises";
import { ChannelCredentials } from "@grpc/grpc-js";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";

/** What an operator is dialled with, PEM: the authorities that it is known by, and who we are. */
export interface OperatorMaterial {
  readonly authorities: string;
  readonly certificate: string;
  readonly key: string;
}

/** How the operator is dialled: encrypted unless the settings say otherwise. Files are read, or who has them is asked, at each call. */
export async function operatorCredentials(
  { tls }: NonNullable<GatewaySettings["operator"]>,
  material: ((signal: AbortSignal) => Promise<OperatorMaterial>) | undefined,
  signal: AbortSignal,
): Promise<ChannelCredentials> {
  if (!tls.enabled) return ChannelCredentials.createInsecure();
  if (material !== undefined) {
    const { authorities, key, certificate } = await material(signal);
    return ChannelCredentials.createSsl(Buffer.from(authorities), Buffer.from(key), Buffer.from(certificate));
  }
  const read = async (file: string | undefined): Promise<Buffer | null> =>
    file === undefined ? null : readFile(file, { signal });
  const [ca, key, cert] = [await read(tls.caFile), await read(tls.keyFile), await read(tls.certFile)];
  return ChannelCredentials.createSsl(ca, key, cert, { rejectUnauthorized: !tls.insecureSkipVerify });
}
