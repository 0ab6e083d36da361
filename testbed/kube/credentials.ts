import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, kubeconfigFor } from "@gatewright/apiserver";
import type { CertificateAuthority } from "@gatewright/apiserver";
import { systemClock, systemRandom, uuid } from "@gatewright/ports";

/** A user who shows a token, besides the admin. */
export interface TokenUser {
  readonly token: string;
  readonly name: string;
  readonly groups?: readonly string[];
}

/** Keys, certificates and tokens of one control plane, written to files of its folder. */
export interface Credentials {
  readonly authority: CertificateAuthority;
  /** Of the admin, a member of system:masters. */
  readonly token: string;
  readonly files: Readonly<
    Record<"ca" | "caKey" | "cert" | "key" | "serviceAccountKey" | "tokens" | "kubeconfig", string>
  >;
}

export async function createCredentials(
  folder: string,
  url: string,
  users: readonly TokenUser[] = [],
): Promise<Credentials> {
  const authority = await createCertificateAuthority({ clock: systemClock, random: systemRandom });
  const serving = await authority.issueServing();
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const token = uuid(systemRandom);
  const admin = { token, name: "admin", groups: ["system:masters"] };
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const files = {
    ca: write("ca.crt", authority.certificate),
    caKey: write("ca.key", authority.key),
    cert: write("apiserver.crt", serving.certificate),
    key: write("apiserver.key", serving.key),
    serviceAccountKey: write("service-accounts.key", privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
    tokens: write("tokens.csv", [admin, ...users].map(tokenLine).join("")),
    kubeconfig: write(
      "kubeconfig",
      kubeconfigFor({ server: url, ca: authority.certificate, token, name: "gatewright-testbed" }),
    ),
  };
  return { authority, token, files };
}

function tokenLine({ token, name, groups = [] }: TokenUser): string {
  return `${token},${name},,"${groups.join(",")}"\n`;
}
