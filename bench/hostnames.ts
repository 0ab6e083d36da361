import { GatewayHostnameRequest } from "@gatewright/resources";
import { print } from "./figure.ts";
import { hostnameRequest } from "./hostnames/cluster.ts";
import { floorOf } from "./hostnames/floor.ts";
import { naively } from "./hostnames/naive.ts";
import { onboard, world } from "./hostnames/onboard.ts";

/** How many hostnames are asked for at once; `GATEWRIGHT_HOSTNAMES=10000` for the larger fleet, beside 100 and 1,000. */
const COUNT = Number(process.env["GATEWRIGHT_HOSTNAMES"] ?? 1_000);
/** Many hostnames are live when the slowest one is: that is what one alone is taken for. */
const ALONE = 10;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Requests that Route 53 lets an account make in an hour. */
const ROUTE53_PER_HOUR = 36_000;

const each = (calls: number, count: number): string => (calls / count).toFixed(3);

function milliseconds({ user, system }: NodeJS.CpuUsage, count: number): string {
  return ((user + system) / 1_000 / count).toFixed(0);
}

/** How long it takes though nobody else asks: what AWS takes for records, certificates and load balancers. Of so many, the slowest. */
async function alone(): Promise<number> {
  let slowest = 0;
  for (let seed = 1; seed <= ALONE; seed++) {
    const { seconds, stop } = await onboard({ count: 1, namesPerCertificate: 1 }, seed);
    await stop();
    slowest = Math.max(slowest, seconds);
  }
  return slowest;
}

async function ours(count: number, namesPerCertificate: number, latency: number): Promise<void> {
  const begun = process.cpuUsage();
  const { cluster, time, costs, ready, seconds, stop } = await onboard({ count, namesPerCertificate });
  const onboarding = process.cpuUsage(begun);
  const spent = costs();
  const floor = floorOf(count, namesPerCertificate);
  const title = `${count} hostnames, ${namesPerCertificate} names a certificate`;
  const least = latency + floor.pacingSeconds;
  print(`${title}: live after`, `${seconds.toFixed(0)} s, ${(seconds / least).toFixed(2)} x the least`);
  print(
    `${title}: the least`,
    `${latency.toFixed(0)} s for one alone, the slowest of ten, and ${floor.pacingSeconds.toFixed(0)} s by AWS's rates`,
  );
  print(
    `${title}: Route 53 requests each`,
    `${each(spent.route53, count)} (at least ${each(floor.route53Requests, count)})`,
  );
  print(`${title}: ACM calls each`, `${each(spent.acm, count)} (at least ${each(floor.acmCalls, count)})`);
  print(`${title}: calls that AWS refused`, String(spent.refused));
  print(`${title}: requests to Kubernetes each`, each(cluster.requests(), count));
  print(`${title}: processor time each, API server and AWS included`, `${milliseconds(onboarding, count)} ms`);

  // Events are written one after the other, and would count as its own.
  await time.run(time.monotonic() + MINUTE_MS);
  costs();
  const [before, cpu, since] = [cluster.requests(), process.cpuUsage(), time.monotonic()];
  await cluster.client.for(GatewayHostnameRequest).create(hostnameRequest(count));
  await time.run(time.monotonic() + DAY_MS, () => ready.size === count + 1);
  const alsoSpent = process.cpuUsage(cpu);
  const took = time.monotonic() - since;
  const more = costs();
  print(
    `${title}: one more costs`,
    `${more.route53} + ${more.acm} calls to AWS, ${cluster.requests() - before} to Kubernetes`,
  );
  // What the fleet costs in the same time though nobody asks for anything is not the cost of one more.
  await time.run(time.monotonic() + HOUR_MS);
  const rest = process.cpuUsage();
  await time.run(time.monotonic() + took);
  print(
    `${title}: one more costs`,
    `${milliseconds(alsoSpent, 1)} ms of processor time, ${milliseconds(process.cpuUsage(rest), 1)} of them for the others`,
  );

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
  const { cloud, time, balancer, costs } = await world(count);
  let done = false;
  const began = time.monotonic();
  const living = naively(cloud.impatient, time, count, (index) => balancer(`b-${index}`)).then(() => (done = true));
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
if (COUNT <= 1_000) {
  await ours(100, 10, latency);
  await ours(COUNT, 10, latency);
} else {
  // What one more costs is compared with smaller fleets that are otherwise the same.
  await ours(100, 100, latency);
  await ours(1_000, 100, latency);
}
await ours(COUNT, 100, latency);
// More than 2,500 certificates are refused for good, and a thousand tell enough.
if (COUNT <= 1_000) await theirs(COUNT);
