import { admissionregistration, core } from "@gatewright/kube/api";
import { systemClock, systemRandom } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { DEFAULT_FEED_SETTINGS, addRouting, webhookManifest } from "@gatewright/routing";
import type { Routing } from "@gatewright/routing";
import { createManager, quietLog } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";
import { secretCertificates } from "@gatewright/runtime/webhook";
import type { IssuingCertificates } from "@gatewright/runtime/webhook";

/** An operator that runs: feed, admission, stream and statuses, with an authority of its own. */
export interface Operator extends Pick<Routing, "catalogue" | "connections"> {
  readonly certificates: IssuingCertificates;
  readonly streamPort: number;
  /** Has the certificate that it shows replaced, as a replica of another version does that is reached by one more name. */
  rotate(host: string): Promise<void>;
  /** Does something while API servers do not ask it: what is written then is judged by its status alone. */
  unasked(work: () => Promise<void>): Promise<void>;
  /** Ends it as a rollout does: gateways are told to look for another one. */
  stop(): Promise<void>;
}

export interface OperatorOptions {
  readonly transport: Transport;
  /** Where gateways dial in. Default: any port that is free. */
  readonly streamPort?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export const SYSTEM_NAMESPACE = "gatewright-system";
const NAME = "gatewright-routing";
/** How often it looks for certificates that others have replaced. */
const LOOK_MS = 100;
const LOCAL = "127.0.0.1";
/** Long, so that no gateway is given up on a clock that is fast. */
const HEARTBEAT_MS = 600_000;
const INGRESSES = { className: "avapigw", isDefault: false };

/** Starts an operator on a cluster. API servers ask it before they store something from when this resolves. */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const { transport, clock = systemClock, streamPort: port = 0 } = options;
  const ports = { clock, random: systemRandom, log: quietLog };
  const manager = createManager({ name: "gatewright", transport, ...ports, graceMs: 1_000 });
  const client = manager.ungated;
  await client.for(core.Namespace).apply({ metadata: { name: SYSTEM_NAMESPACE } });
  const secret = { namespace: SYSTEM_NAMESPACE, name: NAME };
  const own = { client, secret, hosts: [LOCAL, "localhost"], pollMs: LOOK_MS, ...ports };
  const certificates = secretCertificates(own);
  const { catalogue, connections, streamPort, webhookPort } = addRouting(manager, {
    ...ports,
    certificates,
    namespace: SYSTEM_NAMESPACE,
    replica: "operator",
    settings: {
      heartbeatMs: HEARTBEAT_MS,
      streamAddress: `${LOCAL}:${port}`,
      webhooks: { host: LOCAL, port: 0 },
      ingress: { ...INGRESSES, addresses: [] },
      // Endpoints of a Service cannot be said to be at a loopback address.
      feed: { ...DEFAULT_FEED_SETTINGS, reachable: (_, port) => ({ address: LOCAL, port }) },
    },
  });
  const stopping = new AbortController();
  const running = manager.run(stopping.signal);
  const endpoint = { url: `https://${LOCAL}:${await webhookPort}` };
  const askedBy = client.for(admissionregistration.ValidatingWebhookConfiguration);
  const ask = async (): Promise<void> => {
    const caBundle = certificates.bundle() ?? "";
    await askedBy.apply(webhookManifest({ name: NAME, endpoint, caBundle }, INGRESSES) as never);
  };
  await ask();
  const stopAsking = certificates.subscribe(() => void ask().catch(() => {})); // the next change brings it, or the test's end
  return {
    catalogue,
    connections,
    certificates,
    streamPort: await streamPort,
    async rotate(host) {
      const before = certificates.current();
      const other = secretCertificates({ ...own, hosts: [...own.hosts, host] });
      const [enough, taken] = [new AbortController(), Promise.withResolvers<void>()];
      const stop = certificates.subscribe(() => certificates.current() !== before && taken.resolve());
      const looking = other.run(enough.signal);
      await taken.promise;
      stop();
      enough.abort();
      await looking;
    },
    async unasked(work) {
      await askedBy.delete({ name: NAME });
      try {
        await work();
      } finally {
        await ask();
      }
    },
    async stop() {
      stopAsking();
      stopping.abort();
      await running;
    },
  };
}
