import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAuthority } from "@gatewright/certificates";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Where } from "./configs.ts";

const DAY = 86_400_000;

/** Certificates for whoever speaks TLS. */
export async function certificates(folder: string): Promise<Pick<Where, "certFile" | "keyFile" | "pairFile">> {
  const now = systemClock.now();
  const validity = { notBefore: now - DAY, notAfter: now + DAY };
  const authority = createAuthority({ ...validity, subject: { commonName: "bench" } }, systemRandom);
  const { certificate, key } = await authority.issue({
    ...validity,
    names: { hosts: ["127.0.0.1"] },
    usedBy: ["server"],
  });
  const files = {
    certFile: join(folder, "cert.pem"),
    keyFile: join(folder, "key.pem"),
    pairFile: join(folder, "pair.pem"),
  };
  writeFileSync(files.certFile, certificate);
  writeFileSync(files.keyFile, key);
  writeFileSync(files.pairFile, certificate + key);
  return files;
}
