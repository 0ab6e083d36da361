import { certificateFacts, loadAuthority } from "@gatewright/certificates";
import type { KeyPair, LeafRequest } from "@gatewright/certificates";
import { deepEqual } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { sleep } from "@gatewright/ports";
import type { Clock, Random } from "@gatewright/ports";
import type { Client } from "../../client/client.ts";
import { isAlreadyExists, isConflict, isNotFound } from "../../client/error-kinds.ts";
import type { Log } from "@gatewright/telemetry";
import type { CertificateSource } from "./certificate-source.ts";
import { certificatesInSecret, secretData } from "./certificate-secret.ts";
import { BACKDATED_MS, checkedPolicy, nextCertificates } from "./kept-certificates.ts";
import type { CertificatePolicy, KeptCertificates } from "./kept-certificates.ts";
import { Listeners } from "./listeners.ts";

export interface SecretCertificatesOptions extends Partial<CertificatePolicy> {
  /** Must not be held back by the lease: every replica looks after the Secret. Needs get, create and update on it. */
  readonly client: Client;
  /** The Secret that all replicas share. It holds keys: let nobody else read it. */
  readonly secret: { readonly namespace: string; readonly name: string };
  /** How callers reach the server: `<service>.<namespace>.svc`, or an address. */
  readonly hosts: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** How long callers have had a new authority before it signs: until every API server has heard of it. Default: ten minutes. */
  readonly overlapMs?: number;
  /** How often the Secret is looked at. Default: a minute. */
  readonly pollMs?: number;
}

/** A source that also signs for others, with the authority that the server's own certificate is from. */
export interface IssuingCertificates extends CertificateSource {
  /** A certificate that ends with its authority at the latest; undefined until there is an authority. */
  issue(leaf: Omit<LeafRequest, "notBefore" | "notAfter">, lifeMs: number): Promise<KeyPair | undefined>;
}

const DAY_MS = 24 * 3_600_000;
const RETRY_MS = 2_000;

/** Steps, and writes that others won, before this is taken for a fault: each of them has brought the Secret forward. */
const MAX_TRIES = 20;

/**
 * Certificates from an authority of our own that lives in a Secret. Replicas agree by the Secret's resourceVersion: whoever writes
 * first is right, the others read what it wrote. A Secret that somebody deleted is written anew as it was.
 *
 * Defaults: leaves hold 90 days, authorities three years.
 */
export function secretCertificates(options: SecretCertificatesOptions): IssuingCertificates {
  const { client, secret, hosts, clock, random, log, pollMs = 60_000 } = options;
  const { leafLifeMs = 90 * DAY_MS, authorityLifeMs = 3 * 365 * DAY_MS, overlapMs = 600_000 } = options;
  const policy = checkedPolicy({ hosts, leafLifeMs, authorityLifeMs });
  const secrets = client.for(core.Secret);
  const listeners = new Listeners();
  let kept: KeptCertificates | undefined;
  let confirmed: { readonly bundle: string; readonly at: number } | undefined;

  function take(found: KeptCertificates): void {
    const changed =
      kept === undefined || found.leaf.certificate !== kept.leaf.certificate || found.bundle !== kept.bundle;
    kept = found;
    if (changed) listeners.tell();
  }

  /** The bundle that callers have had for long enough. */
  function known(): string | undefined {
    return confirmed !== undefined && clock.monotonic() - confirmed.at >= overlapMs ? confirmed.bundle : undefined;
  }

  /** The Secret is brought up to date, by us or by somebody else who was faster. */
  async function refresh(signal: AbortSignal): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const found = await secrets.find(secret, { signal });
      const stored = found && certificatesInSecret(found);
      if (found !== undefined && stored === undefined && Object.keys(found.data ?? {}).length > 0) {
        log.error("The Secret of the server's certificates is spoiled and is written anew", { secret });
      }
      const before = stored ?? kept;
      const wanted = await nextCertificates(before, policy, { now: clock.now(), known: known(), random });
      if (wanted === stored) return take(stored);
      try {
        await write(found, wanted, signal);
        log.info("The server's certificates were renewed", { secret });
      } catch (error) {
        if (!isAlreadyExists(error) && !isConflict(error) && !(isNotFound(error) && found !== undefined)) throw error;
      }
    }
    throw new Error(
      `the Secret ${secret.namespace}/${secret.name} does not come to rest: others change it again and again`,
    );
  }

  async function write(
    found: Immutable<core.Secret> | undefined,
    wanted: KeptCertificates,
    signal: AbortSignal,
  ): Promise<void> {
    const data = secretData(wanted);
    if (found === undefined)
      await secrets.create({ metadata: { ...secret }, type: "kubernetes.io/tls", data }, { signal });
    else if (!deepEqual(found.data ?? null, data)) await secrets.update({ ...found, data }, { signal });
  }

  return {
    current: () => kept?.leaf,
    bundle: () => kept?.bundle,
    subscribe: (changed) => listeners.add(changed),
    confirm(bundle) {
      if (confirmed?.bundle !== bundle) confirmed = { bundle, at: clock.monotonic() };
    },
    async issue(leaf, lifeMs) {
      if (kept === undefined) return undefined;
      const now = clock.now();
      const { notAfter } = certificateFacts(kept.authority.certificate);
      const validity = { notBefore: now - BACKDATED_MS, notAfter: Math.min(now + lifeMs, notAfter) };
      return loadAuthority(kept.authority, random).issue({ ...leaf, ...validity });
    },
    async run(signal) {
      while (!signal.aborted) {
        let pauseMs = pollMs;
        try {
          await refresh(signal);
        } catch (error) {
          if (signal.aborted) return;
          log.warn("The server's certificates could not be looked after", { secret, error });
          pauseMs = Math.min(RETRY_MS, pollMs);
        }
        await sleep(clock, pauseMs, signal).catch(() => {}); // aborted: the loop sees it
      }
    },
  };
}
