import type { Clock } from "@gatewright/ports";
import type { Material, TransportConfig } from "../transport-config.ts";
import type { Credentials, CredentialSource } from "./credential-source.ts";
import { ReloadedFile } from "./reloaded-file.ts";

/** A text that is given, or read from a file that is looked at again. */
export function materialReader(material: Material, clock: Clock): { read(): Promise<string>; outdated(): void } {
  if ("file" in material) return new ReloadedFile(material.file, clock);
  return { read: async () => material.text, outdated() {} };
}

/** Certificates, tokens and passwords that the configuration holds or names files of. */
export function staticCredentials(
  config: Pick<TransportConfig, "clientCertificate" | "token" | "basic">,
  clock: Clock,
): CredentialSource {
  const reader = (material: Material | undefined) => material && materialReader(material, clock);
  const token = reader(config.token);
  const cert = reader(config.clientCertificate?.cert);
  const key = reader(config.clientCertificate?.key);
  const { basic } = config;
  return {
    async current(): Promise<Credentials> {
      return {
        ...(cert && key && { cert: await cert.read(), key: await key.read() }),
        ...(basic && { authorization: `Basic ${base64(`${basic.username}:${basic.password}`)}` }),
        ...(token && { authorization: `Bearer ${(await token.read()).trim()}` }),
      };
    },
    refused() {
      for (const file of [token, cert, key]) file?.outdated();
    },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
