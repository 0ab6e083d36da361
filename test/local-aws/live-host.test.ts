import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { startLocalCloud } from "@gatewright/local-aws";
import type { CallJournal } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { freePorts } from "../../testbed/index.ts";
import { putHostLive } from "./put-host-live.ts";
import { signedClient } from "./signed-client.ts";
import { visit } from "./visit.ts";

let target: Server;
let targetPort: number;

before(async () => {
  target = createServer((asked, answer) => answer.end(`the shop, asked for ${asked.headers.host} ${asked.url}`));
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  targetPort = (target.address() as AddressInfo).port;
});
after(() => {
  target.closeAllConnections();
  target.close();
});

/** How many calls of each operation there were. */
function costs(journal: CallJournal): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { service, operation, code } of journal.calls()) {
    assert.equal(code, "OK");
    counts.set(`${service} ${operation}`, (counts.get(`${service} ${operation}`) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

test("signed requests alone put a host live: DNS gives the load balancer, TLS is trusted, the target answers", async (t) => {
  const [api = 0, dns = 0] = await freePorts(2);
  await using cloud = await startLocalCloud({
    clock: systemClock,
    random: systemRandom,
    pace: { durations: 0, lag: false },
    api: { port: api },
    dns: { port: dns },
    onFault: (error, where) => assert.fail(`${where}: ${String(error)}`),
  });
  const { host, looks } = await putHostLive(signedClient(cloud.url), "opendi.test", targetPort);

  const [endpoint] = cloud.endpoints();
  assert.ok(endpoint);
  if (endpoint.problem !== undefined) return t.skip(`a load balancer could not listen: ${endpoint.problem}`);
  const ca = await cloud.caCertificate();
  assert.deepEqual(await visit(host, endpoint.port, { dns: cloud.dns, ca }), {
    address: endpoint.host,
    status: 200,
    body: `the shop, asked for ${host} /hello`,
  });
  await assert.rejects(visit(host, endpoint.port, { dns: cloud.dns, ca: "" }), /self-signed|unable to/);
  await assert.rejects(visit(`other.${host}`, endpoint.port, { dns: cloud.dns, ca }), { code: "ENOTFOUND" });

  assert.deepEqual(costs(cloud.journal), {
    "acm DescribeCertificate": looks.acm,
    "acm RequestCertificate": 1,
    "elbv2 CreateListener": 1,
    "elbv2 CreateLoadBalancer": 1,
    "elbv2 CreateTargetGroup": 1,
    "elbv2 DescribeTargetHealth": looks.elbv2,
    "elbv2 RegisterTargets": 1,
    "route53 ChangeResourceRecordSets": 2,
    "route53 CreateHostedZone": 1,
  });
});
