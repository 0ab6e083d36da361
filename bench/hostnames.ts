import { GatewayHostnameRequest } from "@gatewright/resources";
import { virtualTime } from "@gatewright/runtime/simulation";
import { print } from "./figure.ts";
import { followReady, hostnameRequest, startCluster } from "./hostnames/cluster.ts";
import { floorOf } from "./hostnames/floor.ts";
import { naively } from "./hostnames/naive.ts";
import type { Balancer } from "./hostnames/naive.ts";
import { DOMAIN, virtualCloud } from "./hostnames/virtual-cloud.ts";
import type { VirtualCloud } from "./hostnames/virtual-cloud.ts";

/** How many hostnames are asked for at once; `GATEWRIGHT_HOSTNAMES=10000` for the larger fleet. */
const COUNT = Number(process.env["GATEWRIGHT_HOSTNAMES"] ?? 1_000);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Requests that Route 53 lets an account make in an hour. */
const ROUTE53_PER_HOUR = 36_000;

interface Costs {
  readonly route53: number;
  readonly acm: number;
  readonly refused: number;
}

interface World {
  readonly cloud: VirtualCloud;
  readonly time: ReturnType<typeof virtualTime>;
  readonly balancer: (name: string) => Promise<Balancer>;
  /** Calls since it was last asked. */
  readonly costs: () => Costs;
}

async function world(alsoBusy: () => boolean = () => false): Promise<World> {
  let cloud: VirtualCloud | undefined;
  const time = virtualTime(1, () => cloud?.busy() === true || alsoBusy());
  const made = (cloud = await virtualCloud(time));
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

const names = (count: number, prefix = "h"): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.${DOMAIN}`);

const each = (calls: number, count: number): string => (calls / count).toFixed(3);

/** Seconds until they are live that were asked for at once, and the world that they are live in. */
async function onboard(count: number, namesPerCertificate: number) {
  let busy = (): boolean => false;
  const { cloud, time, balancer, costs } = await world(() => busy());
  const cluster = await startCluster(time, cloud.aws, balancer, namesPerCertificate);
  busy = () => cluster.busy();
  const ready = new Set<string>();
  const stopping = new AbortController();
  const following = followReady(cluster.client, ready, stopping.signal).catch(() => {}); // ends with the world
  const began = time.monotonic();
  const creating = (async () => {
    for (const name of names(count)) await cluster.client.for(GatewayHostnameRequest).create(hostnameRequest(name));
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
    stop: async (): Promise<void> => {
      stopping.abort();
      await cluster.stop();
      await following;
    },
  };
}

/** How long it takes though nobody else asks: what AWS takes for records, certificates and load balancers. */
async function alone(): Promise<number> {
  const { seconds, stop } = await onboard(1, 1);
  await stop();
  return seconds;
}

async function ours(count: number, namesPerCertificate: number, latency: number): Promise<void> {
  const { cluster, time, costs, ready, seconds, stop } = await onboard(count, namesPerCertificate);
  const spent = costs();
  const floor = floorOf(count, namesPerCertificate);
  const title = `${count} hostnames, ${namesPerCertificate} names a certificate`;
  const least = latency + floor.pacingSeconds;
  print(`${title}: live after`, `${seconds.toFixed(0)} s, ${(seconds / least).toFixed(2)} x the least`);
  print(
    `${title}: the least`,
    `${latency.toFixed(0)} s for one alone and ${floor.pacingSeconds.toFixed(0)} s by AWS's rates`,
  );
  print(
    `${title}: Route 53 requests each`,
    `${each(spent.route53, count)} (at least ${each(floor.route53Requests, count)})`,
  );
  print(`${title}: ACM calls each`, `${each(spent.acm, count)} (at least ${each(floor.acmCalls, count)})`);
  print(`${title}: calls that AWS refused`, String(spent.refused));
  print(`${title}: requests to Kubernetes each`, each(cluster.requests(), count));

  // Events are written one after the other, and would count as its own.
  await time.run(time.monotonic() + MINUTE_MS);
  costs();
  const [before, cpu] = [cluster.requests(), process.cpuUsage()];
  await cluster.client.for(GatewayHostnameRequest).create(hostnameRequest(`one-more.${DOMAIN}`));
  await time.run(time.monotonic() + DAY_MS, () => ready.size === count + 1);
  const { user, system } = process.cpuUsage(cpu);
  const more = costs();
  print(
    `${title}: one more costs`,
    `${more.route53} + ${more.acm} calls to AWS, ${cluster.requests() - before} to Kubernetes`,
  );
  print(`${title}: one more costs`, `${((user + system) / 1000).toFixed(0)} ms of processor time`);

  await time.run(time.monotonic() + HOUR_MS);
  costs();
  await time.run(time.monotonic() + HOUR_MS);
  const idle = costs();
  const share = (100 * idle.route53) / ROUTE53_PER_HOUR;
  print(
    `${title}: an hour at rest`,
    `${idle.route53} requests to Route 53 (${share.toFixed(2)} % of the account's), ${idle.acm} to ACM`,
  );
  await stop();
}

async function theirs(count: number): Promise<void> {
  const { cloud, time, balancer, costs } = await world();
  let done = false;
  const began = time.monotonic();
  const living = naively(cloud.impatient, time, names(count), (index) => balancer(`b-${index}`)).then(
    () => (done = true),
  );
  await time.run(2 * DAY_MS, () => done);
  await living;
  const spent = costs();
  const title = `${count} hostnames, each by itself`;
  print(`${title}: live after`, `${((time.monotonic() - began) / 1000).toFixed(0)} s`);
  print(`${title}: Route 53 requests each`, each(spent.route53, count));
  print(`${title}: ACM calls each`, each(spent.acm, count));
  print(`${title}: calls that AWS refused`, String(spent.refused));
}

const latency = await alone();
await ours(100, 10, latency);
await ours(COUNT, 10, latency);
await ours(COUNT, 100, latency);
// More than 2,500 certificates are refused for good, and a thousand tell enough.
await theirs(Math.min(COUNT, 1_000));
