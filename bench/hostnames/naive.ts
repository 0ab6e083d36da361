import type { Aws } from "@gatewright/aws";
import { AwsCallError } from "@gatewright/aws";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { hostnameOf } from "./cluster.ts";
import { zoneOf } from "./virtual-cloud.ts";

const POLL_MS = 30_000;
const RECORD_POLL_MS = 15_000;
const BACKOFF_MS = 5_000;
/** Hostnames at once. More of them are throttled more. */
const WORKERS = 64;
/** Hostnames on one load balancer, as certificates on it are few. */
const PER_BALANCER = 20;

/** Where hostnames lead. */
export interface Balancer {
  readonly dnsName: string;
  readonly zoneId: string;
}

/**
 * What a controller does that treats each hostname by itself: a certificate of its own that it describes until it is issued, one call
 * for each record. Resolves when all of them are live.
 */
export async function naively(
  aws: Aws,
  clock: Clock,
  count: number,
  balancer: (index: number) => Promise<Balancer>,
): Promise<void> {
  const never = new AbortController().signal;
  /** Tries again for as long as it is told that it asks too often. */
  const insisting = async <T>(call: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof AwsCallError) || error.kind === "terminal") throw error;
        await sleep(clock, BACKOFF_MS, never);
      }
    }
  };
  const upsert = (index: number, set: object): Promise<unknown> =>
    insisting(() =>
      aws.route53.changeResourceRecordSets({
        HostedZoneId: zoneOf(index).id,
        ChangeBatch: { Changes: [{ Action: "UPSERT", ResourceRecordSet: set as never }] },
      }),
    );
  const live = async (index: number): Promise<void> => {
    const hostname = hostnameOf(index);
    const { CertificateArn = "" } = await insisting(() =>
      aws.acm.requestCertificate({
        DomainName: hostname,
        ValidationMethod: "DNS",
        KeyAlgorithm: "EC_prime256v1",
        IdempotencyToken: `naive${index}`,
      }),
    );
    const describe = async () =>
      (await insisting(() => aws.acm.describeCertificate({ CertificateArn }))).Certificate ?? {};
    let seen = await describe();
    while (seen.DomainValidationOptions?.[0]?.ResourceRecord === undefined) {
      await sleep(clock, RECORD_POLL_MS, never);
      seen = await describe();
    }
    const { Name, Value } = seen.DomainValidationOptions[0].ResourceRecord;
    await upsert(index, { Name, Type: "CNAME", TTL: 300, ResourceRecords: [{ Value }] });
    while ((await describe()).Status !== "ISSUED") await sleep(clock, POLL_MS, never);
    const { dnsName, zoneId } = await balancer(Math.floor(index / PER_BALANCER));
    const AliasTarget = { DNSName: dnsName, HostedZoneId: zoneId, EvaluateTargetHealth: true };
    await upsert(index, { Name: hostname, Type: "A", AliasTarget });
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await live(next++);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
