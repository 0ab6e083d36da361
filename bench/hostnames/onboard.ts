import { GatewayHostnameRequest } from "@gatewright/resources";
import { virtualTime } from "@gatewright/runtime/simulation";
import { followReady, hostnameRequest, startCluster } from "./cluster.ts";
import type { Cluster, Fleet } from "./cluster.ts";
import type { Balancer } from "./naive.ts";
import { virtualCloud } from "./virtual-cloud.ts";
import type { VirtualCloud } from "./virtual-cloud.ts";

const DAY_MS = 86_400_000;

/** Calls to AWS. */
interface Costs {
  readonly route53: number;
  readonly acm: number;
  readonly refused: number;
}

/** An account of AWS on virtual time. */
interface World {
  readonly cloud: VirtualCloud;
  readonly time: ReturnType<typeof virtualTime>;
  readonly balancer: (name: string) => Promise<Balancer>;
  /** Calls since it was last asked. */
  readonly costs: () => Costs;
}

/** An account for so many hostnames. */
export async function world(count: number, seed = 1, alsoBusy: () => boolean = () => false): Promise<World> {
  let cloud: VirtualCloud | undefined;
  const time = virtualTime(1, () => cloud?.busy() === true || alsoBusy());
  const made = (cloud = await virtualCloud(time, count, seed));
  const balancers = new Map<string, Promise<Balancer>>();
  return {
    cloud: made,
    time,
    balancer(name) {
      const known = balancers.get(name) ?? newBalancer(made, name);
      balancers.set(name, known);
      return known;
    },
    costs() {
      const calls = made.journal.calls();
      const of = (service: string): number => calls.filter((call) => call.service === service).length;
      const refused = calls.filter(({ code }) => code !== "OK").length;
      const seen = { route53: of("route53"), acm: of("acm") + of("tagging"), refused };
      made.journal.clear();
      return seen;
    },
  };
}

async function newBalancer({ admin }: VirtualCloud, name: string): Promise<Balancer> {
  const { LoadBalancers } = await admin.elbv2.createLoadBalancer({ Name: name, Subnets: ["subnet-a", "subnet-b"] });
  const { DNSName = "", CanonicalHostedZoneId = "" } = LoadBalancers?.[0] ?? {};
  return { dnsName: DNSName, zoneId: CanonicalHostedZoneId };
}

/** Hostnames that are live, and the world that they are live in. */
interface Onboarded {
  readonly cluster: Cluster;
  readonly time: World["time"];
  readonly costs: World["costs"];
  readonly ready: ReadonlySet<string>;
  /** How long it took, for all that were asked for at once. */
  readonly seconds: number;
  readonly stop: () => Promise<void>;
}

/** Asks for hostnames at once, and resolves when all of them are live. */
export async function onboard(fleet: Fleet, seed = 1): Promise<Onboarded> {
  const { count } = fleet;
  let busy = (): boolean => false;
  const { cloud, time, balancer, costs } = await world(count, seed, () => busy());
  const cluster = await startCluster(time, cloud.aws, balancer, fleet);
  busy = () => cluster.busy();
  const ready = new Set<string>();
  const stopping = new AbortController();
  const following = followReady(cluster.client, ready, stopping.signal).catch(() => {}); // ends with the world
  const began = time.monotonic();
  const creating = (async () => {
    const requests = cluster.client.for(GatewayHostnameRequest);
    for (let index = 0; index < count; index++) await requests.create(hostnameRequest(index));
  })();
  await time.run(DAY_MS, () => ready.size === count);
  await creating;
  const seconds = (time.monotonic() - began) / 1000;
  return {
    cluster,
    time,
    costs,
    ready,
    seconds,
    async stop() {
      stopping.abort();
      await cluster.stop();
      await following;
    },
  };
}
