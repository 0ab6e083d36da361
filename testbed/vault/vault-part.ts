import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemRandom, uuid } from "@gatewright/ports";
import { freePorts } from "../free-port.ts";
import type { Part } from "../part.ts";
import { endAll, launch } from "../processes.ts";
import { until } from "../readiness.ts";
import { VAULT_VERSION, vaultBinary } from "./vault-binary.ts";
import { askVault } from "./vault-client.ts";
import type { VaultAccess } from "./vault-client.ts";

const START_MS = 60_000;

/** Vault in memory behind TLS, with a PKI engine that has a root and issues certificates by the role `any`. */
export const vaultPart: Part = {
  name: "vault",
  about: `Vault ${VAULT_VERSION} with a PKI engine`,
  async start(folder, { progress, outlive, signal }) {
    const program = await vaultBinary(progress, signal);
    const [port = 0] = await freePorts(1);
    const access = {
      url: `https://127.0.0.1:${port}`,
      caFile: join(folder, "vault-ca.pem"),
      token: uuid(systemRandom),
    };
    const tokenFile = join(folder, "root-token");
    writeFileSync(tokenFile, access.token, { mode: 0o600 });
    const listen = [`-dev-listen-address=127.0.0.1:${port}`, "-dev-tls", `-dev-tls-cert-dir=${folder}`];
    const vault = launch({
      name: "vault",
      program,
      args: ["server", "-dev", "-dev-no-store-token", "-log-level=warn", ...listen],
      // Not an argument: those can be seen by everybody on the machine.
      env: { VAULT_DEV_ROOT_TOKEN_ID: access.token },
      folder,
      outlive,
    });
    try {
      const waiting = { folder, process: vault, timeoutMs: START_MS, signal };
      await until(waiting, access.url, async () => (await askVault(access, "GET", "sys/health")).status === 200);
      await preparePki(access);
    } catch (error) {
      await endAll([vault]);
      throw error;
    }
    const facts = { VAULT_ADDR: access.url, VAULT_CACERT: access.caFile, token: tokenFile, binary: program };
    return { version: VAULT_VERSION, processes: [vault], facts };
  },
};

async function preparePki(access: VaultAccess): Promise<void> {
  const done = async (path: string, body: object): Promise<void> => {
    const { status, text } = await askVault(access, "POST", path, body);
    if (status >= 300) throw new Error(`Vault refused ${path}: ${status} ${text}`);
  };
  await done("sys/mounts/pki", { type: "pki", config: { max_lease_ttl: "87600h" } });
  await done("pki/root/generate/internal", { common_name: "Gatewright test bed", ttl: "87600h" });
  await done("pki/roles/any", { allow_any_name: true, max_ttl: "720h" });
}
