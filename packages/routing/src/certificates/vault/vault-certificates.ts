import { isIP } from "node:net";
import { certificateFacts, isPair } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Log } from "@gatewright/runtime";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import { issue, logIn, VaultError } from "./vault-api.ts";
import type { AskVault } from "./vault-api.ts";

export interface VaultCertificatesOptions {
  readonly ask: AskVault;
  /** Of the PKI engine. Default: `pki`. */
  readonly mount?: string;
  /** Of the PKI engine. Default: `operator`. */
  readonly role?: string;
  /** Of the Kubernetes login. Default mount: `kubernetes`. */
  readonly login: { readonly role: string; readonly mount?: string };
  /** The token of this process's service account, read anew for each login: kubelets replace it. */
  readonly serviceAccountToken: (signal: AbortSignal) => Promise<string>;
  /** How callers reach the server. */
  readonly hosts: readonly string[];
  /** What is asked for; Vault may give less. Default: 24 hours. */
  readonly lifeMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 300_000];
const SHORTEST_MS = 1_000;

/**
 * A certificate from Vault's PKI, replaced at two thirds of its life. While Vault is away the one before serves on and Vault is asked
 * again, ever more slowly. The key is made by Vault and never leaves memory.
 */
export function vaultCertificates(options: VaultCertificatesOptions): CertificateSource {
  const { ask, mount = "pki", role = "operator", login, serviceAccountToken, clock, random, log } = options;
  const { lifeMs = 24 * 3_600_000 } = options;
  const hosts = options.hosts.filter((host) => isIP(host) === 0);
  const addresses = options.hosts.filter((host) => isIP(host) !== 0);
  const [commonName = addresses[0]] = hosts;
  if (commonName === undefined) throw new TypeError("a certificate needs the names of its server");
  const listeners = new Set<() => void>();
  let current: KeyPair | undefined;
  let bundle: string | undefined;

  async function renew(signal: AbortSignal): Promise<void> {
    const jwt = (await serviceAccountToken(signal)).trim();
    const token = await logIn(ask, { mount: login.mount ?? "kubernetes", role: login.role, jwt }, signal);
    const wanted = { mount, role, commonName: commonName!, hosts, addresses, ttlSeconds: Math.round(lifeMs / 1000) };
    const made = await issue(ask, token, wanted, signal);
    if (!isPair(made.pair)) throw new VaultError("malformed", "Vault's key is not the one of its certificate");
    // The authority before vouches for connections that others still hold.
    const before = bundle ?? "";
    [current, bundle] = [made.pair, before.includes(made.bundle) ? before : made.bundle + lastOf(before)];
    log.info("Vault issued a certificate", { mount, role, until: new Date(endOf(made.pair)).toISOString() });
    for (const listener of listeners) listener();
  }

  return {
    current: () => current,
    bundle: () => bundle,
    subscribe(changed) {
      const own = (): void => changed();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    confirm() {},
    async run(signal) {
      let failures = 0;
      while (!signal.aborted) {
        let pause: number;
        try {
          await renew(signal);
          failures = 0;
          pause = current === undefined ? SHORTEST_MS : Math.max(SHORTEST_MS, untilRenewal(current, clock.now()));
        } catch (error) {
          if (signal.aborted) return;
          log.error("Vault did not issue a certificate; the one before stays", { mount, role, error });
          const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS);
          pause = longest * (0.75 + (random.bytes(1)[0] ?? 0) / 1024);
        }
        await sleep(clock, pause, signal).catch(() => {}); // aborted: the loop sees it
      }
    },
  };
}

function untilRenewal(pair: KeyPair, now: number): number {
  const { notBefore, notAfter } = certificateFacts(pair.certificate);
  return notBefore + ((notAfter - notBefore) * 2) / 3 - now;
}

function endOf({ certificate }: KeyPair): number {
  return certificateFacts(certificate).notAfter;
}

/** The authority before this one, and no older ones. */
function lastOf(bundle: string): string {
  const end = "-----END CERTIFICATE-----\n";
  const at = bundle.indexOf(end);
  return at === -1 ? "" : bundle.slice(0, at + end.length);
}
