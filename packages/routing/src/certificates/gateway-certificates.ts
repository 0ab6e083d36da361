import { deepEqual } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { linkSignals, sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { isAlreadyExists, isConflict, isNotFound } from "@gatewright/runtime";
import type { Client, Log, Runnable } from "@gatewright/runtime";
import type { IssuingCertificates } from "@gatewright/runtime/webhook";
import { gatewayCredentialsIn, gatewaySecretData, isGood } from "./gateway-secret.ts";
import { gatewayHost, gatewayUri } from "./gateway-names.ts";

/** A gateway that gets a certificate from us, and the Secret in its namespace that it finds it in. */
export interface CertifiedGateway {
  readonly namespace: string;
  readonly name: string;
  /** Default: `<name>-operator-client`. */
  readonly secret?: string;
}

export interface GatewayCertificatesOptions {
  readonly gateways: readonly CertifiedGateway[];
  readonly authority: IssuingCertificates;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a certificate holds. It is replaced at two thirds of that. Default: 30 days. */
  readonly lifeMs?: number;
  /** How often the Secrets are looked at. Default: a minute. */
  readonly pollMs?: number;
}

const DAY_MS = 24 * 3_600_000;

/**
 * Keeps the Secrets of gateways: each has a certificate in its own name and the authorities of the operator, the next one among them
 * before it signs. Gateways read them anew whenever they dial. The leader's work.
 */
export function gatewayCertificates(options: GatewayCertificatesOptions): Runnable {
  const { gateways, authority, client, clock, log, lifeMs = 30 * DAY_MS, pollMs = 60_000 } = options;
  const secrets = client.for(core.Secret);

  async function keep(gateway: CertifiedGateway, bundle: string, signal: AbortSignal): Promise<void> {
    const { namespace, name, secret = `${name}-operator-client` } = gateway;
    const found = await secrets.find({ namespace, name: secret }, { signal });
    const held = found && gatewayCredentialsIn(found);
    const host = gatewayHost(gateway);
    const pair =
      held !== undefined && isGood(held, bundle, [host], clock.now())
        ? held.pair
        : await authority.issue(
            {
              subject: { commonName: host },
              names: { hosts: [host], uris: [gatewayUri(gateway)] },
              usedBy: ["client", "server"],
            },
            lifeMs,
          );
    if (pair === undefined) return;
    const data = gatewaySecretData({ pair, bundle });
    if (found === undefined) {
      await secrets.create({ metadata: { namespace, name: secret }, type: "kubernetes.io/tls", data }, { signal });
    } else if (!deepEqual(found.data ?? null, data)) {
      await secrets.update({ ...found, data }, { signal });
    } else return;
    log.info("The certificate of a gateway was written", { gateway: `${namespace}/${name}`, secret });
  }

  async function keepAll(signal: AbortSignal): Promise<void> {
    const bundle = authority.bundle();
    if (bundle === undefined) return;
    let kept = 0;
    for (const gateway of gateways) {
      try {
        await keep(gateway, bundle, signal);
        kept++;
      } catch (error) {
        if (signal.aborted) throw error;
        // Somebody was faster, or removed it meanwhile: the next look tells.
        if (isConflict(error) || isAlreadyExists(error) || isNotFound(error)) continue;
        log.warn("The certificate of a gateway could not be written", { gateway, error });
      }
    }
    if (kept === gateways.length) authority.confirm(bundle);
  }

  return {
    name: "gateway-certificates",
    when: "leading",
    async run(signal) {
      while (!signal.aborted) {
        const changed = new AbortController();
        const stop = authority.subscribe(() => changed.abort());
        using either = linkSignals([signal, changed.signal]);
        try {
          await keepAll(signal);
          await sleep(clock, pollMs, either.signal).catch(() => {}); // aborted: the loop sees it
        } finally {
          stop();
        }
      }
    },
  };
}
