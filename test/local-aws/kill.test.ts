import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../real/eventually.ts";
import { cloudProcess } from "./cloud-process.ts";
import { putHostLive } from "./put-host-live.ts";
import { signedClient } from "./signed-client.ts";
import type { Call } from "./signed-client.ts";
import { visit } from "./visit.ts";

const DOMAIN = "opendi.test";
const WRITERS = 4;
const ENOUGH = 40;

/** What the cloud said yes to. */
interface Acknowledged {
  readonly records: string[];
  readonly messages: string[];
  readonly objects: string[];
}

/** Writes to three services at once until the cloud is gone. */
async function writeUntilGone(call: Call, zone: string, queue: string, seen: Acknowledged): Promise<void> {
  const writer = async (who: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const name = `w${who}-${n}`;
      const set = { Name: `${name}.${DOMAIN}.`, Type: "TXT", TTL: 60, ResourceRecords: [{ Value: `"${name}"` }] };
      const Changes = [{ Action: "CREATE", ResourceRecordSet: set }];
      await call("route53", "ChangeResourceRecordSets", { HostedZoneId: zone, ChangeBatch: { Changes } });
      seen.records.push(set.Name);
      await call("sqs", "SendMessage", { QueueUrl: queue, MessageBody: name });
      seen.messages.push(name);
      await call("s3", "PutObject", { Bucket: "things", Key: name, Body: Buffer.from(`body of ${name}`) });
      seen.objects.push(name);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: WRITERS }, (_, who) => writer(who)));
  for (const end of ends) {
    // Nobody answers any more: a refusal would be another matter.
    if (end.status === "rejected" && !/fetch failed|terminated/.test(String(end.reason))) throw end.reason;
  }
}

async function allRecords(call: Call, zone: string): Promise<Set<string>> {
  const names = new Set<string>();
  let from: { StartRecordName?: string; StartRecordType?: string } = {};
  for (;;) {
    const page = await call("route53", "ListResourceRecordSets", { HostedZoneId: zone, ...from });
    for (const { Name, Type } of page.ResourceRecordSets) if (Type === "TXT") names.add(Name);
    if (!page.IsTruncated) return names;
    from = { StartRecordName: page.NextRecordName ?? "", StartRecordType: page.NextRecordType ?? "" };
  }
}

async function allMessages(call: Call, queue: string): Promise<string[]> {
  const bodies: string[] = [];
  for (;;) {
    const { Messages = [] } = await call("sqs", "ReceiveMessage", { QueueUrl: queue, MaxNumberOfMessages: 10 });
    if (Messages.length === 0) return bodies;
    bodies.push(...Messages.map(({ Body }) => Body ?? ""));
  }
}

test("a cloud that is killed while it writes has everything that it acknowledged, and serves on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-cloud-"));
  const target = createServer((_, answer) => answer.end("the shop"));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  try {
    const seen: Acknowledged = { records: [], messages: [], objects: [] };
    const first = await cloudProcess(folder);
    let live: Awaited<ReturnType<typeof putHostLive>>;
    try {
      const call = signedClient(first.url);
      live = await putHostLive(call, DOMAIN, (target.address() as AddressInfo).port);
      await call("s3", "CreateBucket", {
        Bucket: "things",
        CreateBucketConfiguration: { LocationConstraint: "eu-west-1" },
      });
      const { QueueUrl = "" } = await call("sqs", "CreateQueue", { QueueName: "work" });
      const writing = writeUntilGone(call, live.zone, QueueUrl, seen);
      await eventually(
        "enough writes",
        () => Promise.resolve(seen.objects.length),
        (count) => count >= ENOUGH,
      );
      await first.kill();
      await writing;
    } finally {
      await first.kill();
    }

    await using second = await cloudProcess(folder);
    const call = signedClient(second.url);
    const records = await allRecords(call, live.zone);
    assert.deepEqual(
      seen.records.filter((name) => !records.has(name)),
      [],
    );
    const { QueueUrl = "" } = await call("sqs", "GetQueueUrl", { QueueName: "work" });
    const messages = await allMessages(call, QueueUrl);
    assert.deepEqual(
      seen.messages.filter((body) => !messages.includes(body)),
      [],
    );
    assert.equal(new Set(messages).size, messages.length, "no message is there twice");
    for (const Key of seen.objects) {
      const { Body } = await call("s3", "GetObject", { Bucket: "things", Key });
      assert.equal(Buffer.from(Body as Uint8Array).toString(), `body of ${Key}`);
    }
    const described = await call("acm", "DescribeCertificate", { CertificateArn: live.certificate });
    assert.equal(described.Certificate?.Status, "ISSUED");
    assert.equal(second.ca, first.ca);
    const visited = await eventually(
      "a visit",
      () => visit(live.host, 8443, second).catch((error: unknown) => ({ status: 0, body: String(error) })),
      ({ status }) => status === 200,
    );
    assert.equal(visited.body, "the shop");
  } finally {
    target.closeAllConnections();
    target.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
