import type { Aws } from "@gatewright/aws";
import { AwsCallError } from "@gatewright/aws";
import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import { ZONE } from "./virtual-cloud.ts";

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
  hostnames: readonly string[],
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
  const upsert = (set: object): Promise<unknown> =>
    insisting(() =>
      aws.route53.changeResourceRecordSets({
        HostedZoneId: ZONE,
        ChangeBatch: { Changes: [{ Action: "UPSERT", ResourceRecordSet: set as never }] },
      }),
    );
  const live = async (hostname: string, index: number): Promise<void> => {
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
    await upsert({ Name, Type: "CNAME", TTL: 300, ResourceRecords: [{ Value }] });
    while ((await describe()).Status !== "ISSUED") await sleep(clock, POLL_MS, never);
    const { dnsName, zoneId } = await balancer(Math.floor(index / PER_BALANCER));
    const AliasTarget = { DNSName: dnsName, HostedZoneId: zoneId, EvaluateTargetHealth: true };
    await upsert({ Name: hostname, Type: "A", AliasTarget });
  };
  const queue = hostnames.entries();
  const worker = async (): Promise<void> => {
    for (const [index, hostname] of queue) await live(hostname, index);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
