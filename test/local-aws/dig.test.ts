import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createMemoryState, createRoute53, startDnsServer } from "@gatewright/local-aws";
import type { DnsServer, Route53 } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { run } from "../tools/command.ts";
import { digMissing } from "../tools/dig.ts";
import { suite } from "../tools/suite.ts";

const ZONE = "A1231313";
const ACCOUNT = "000000000000";
const BALANCER = "edge-1.eu-west-1.elb.amazonaws.com";
const BALANCER_ZONE = "Z32O12XQLNTSW2";

/** The program that everybody asks DNS with: nobody here wrote it, so it is a judge. */
suite("dig", digMissing(), () => {
  let route53: Route53;
  let server: DnsServer;

  before(async () => {
    const world = {
      clock: systemClock,
      random: systemRandom,
      state: createMemoryState(),
      pace: { durations: 0, lag: false },
    };
    const addresses = { canonicalZoneId: BALANCER_ZONE, ipv4: ["127.0.1.1"], ipv6: ["::1"] };
    route53 = createRoute53(world, {
      loadBalancers: { addressesOf: (name) => (name === BALANCER ? addresses : undefined) },
    });
    await route53.seedZone({ id: ZONE, name: "opendi.com", account: ACCOUNT });
    const values = (Name: string, Type: string, ...list: string[]) => ({
      Name,
      Type,
      TTL: 300,
      ResourceRecords: list.map((Value) => ({ Value })),
    });
    const alias = (Name: string, Type: string) => ({
      Name,
      Type,
      AliasTarget: { DNSName: BALANCER, HostedZoneId: BALANCER_ZONE, EvaluateTargetHealth: false },
    });
    await change(
      alias("opendi.com", "A"),
      alias("*.apps.opendi.com", "A"),
      alias("*.apps.opendi.com", "AAAA"),
      values("x.apps.opendi.com", "TXT", '"here"'),
      values("www.opendi.com", "CNAME", "opendi.com"),
      values("mail.opendi.com", "MX", "10 mx.example.net", "20 mx2.example.net"),
      values("t.opendi.com", "TXT", '"a \\"quoted\\" word" "\\303\\251"'),
      values("_sip._tcp.opendi.com", "SRV", "1 2 5060 sip.example.net"),
      values("caa.opendi.com", "CAA", '0 issue "amazon.com"'),
      values("h.opendi.com", "HTTPS", '1 . alpn="h2,h3" port=8443 ipv4hint=127.0.1.1'),
      values("n.opendi.com", "NAPTR", '100 50 "u" "sip+E2U" "!^.*$!sip:a@b!" .'),
      values("ds.opendi.com", "DS", "12345 8 2 49fd46e6c4b45c55d4ac49fd46e6c4b45c55d4ac49fd46e6c4b45c55d4ac49fd"),
      values("tlsa.opendi.com", "TLSA", "3 1 1 abcdef"),
      values("ssh.opendi.com", "SSHFP", `4 2 ${"abcdef01".repeat(8)}`),
      values("sub.opendi.com", "NS", "ns.example.net", "ns.example.org"),
      values("many.opendi.com", "A", ...Array.from({ length: 200 }, (_, n) => `10.0.0.${n}`)),
    );
    server = await startDnsServer({ zones: route53.zones, clock: systemClock, port: 0 });
  });
  after(() => server.close());

  async function change(...sets: object[]): Promise<void> {
    const caller = { account: ACCOUNT, arn: `arn:aws:iam::${ACCOUNT}:root`, userId: ACCOUNT, accessKeyId: "test" };
    const context = {
      caller,
      account: ACCOUNT,
      region: "us-east-1",
      requestId: "",
      signal: new AbortController().signal,
    };
    const Changes = sets.map((ResourceRecordSet) => ({ Action: "CREATE", ResourceRecordSet }));
    const operation = route53.service.operations.get("ChangeResourceRecordSets");
    await operation?.({ HostedZoneId: ZONE, ChangeBatch: { Changes } }, context);
  }

  async function dig(...args: string[]): Promise<string> {
    const fixed = ["@127.0.0.1", "-p", String(server.port), "+norecurse", "+tries=1", "+time=10"];
    const { stdout, stderr } = await run("dig", [...fixed, ...args]);
    assert.equal(stderr, "");
    assert.doesNotMatch(stdout, /WARNING|malformed|extra bytes/i);
    return stdout;
  }
  const short = async (...args: string[]): Promise<string[]> => (await dig("+short", ...args)).trim().split("\n");

  test("sees the addresses of a load balancer at the top of the zone, behind a wildcard and behind a CNAME", async () => {
    assert.deepEqual(await short("opendi.com"), ["127.0.1.1"]);
    assert.deepEqual(await short("shop.apps.opendi.com"), ["127.0.1.1"]);
    assert.deepEqual(await short("a.b.apps.opendi.com", "AAAA"), ["::1"]);
    assert.deepEqual(await short("www.opendi.com"), ["opendi.com.", "127.0.1.1"]);
    assert.match(await dig("opendi.com"), /^opendi\.com\.\s+60\s+IN\s+A\s+127\.0\.1\.1$/m);
  });

  test("reads every type as it was written", async () => {
    assert.deepEqual((await short("mail.opendi.com", "MX")).toSorted(), ["10 mx.example.net.", "20 mx2.example.net."]);
    assert.deepEqual(await short("t.opendi.com", "TXT"), ['"a \\"quoted\\" word" "\\195\\169"']);
    assert.deepEqual(await short("_sip._tcp.opendi.com", "SRV"), ["1 2 5060 sip.example.net."]);
    assert.deepEqual(await short("caa.opendi.com", "CAA"), ['0 issue "amazon.com"']);
    assert.match(
      await dig("h.opendi.com", "TYPE65"),
      /IN\s+(HTTPS\s+1 \. alpn="h2,h3" port=8443 ipv4hint=127\.0\.1\.1|TYPE65\s+\\#)/,
    );
    assert.deepEqual(await short("n.opendi.com", "NAPTR"), ['100 50 "u" "sip+E2U" "!^.*$!sip:a@b!" .']);
    assert.match((await short("ds.opendi.com", "DS"))[0] ?? "", /^12345 8 2 49FD46E6C4B45C55/);
    assert.deepEqual(await short("tlsa.opendi.com", "TLSA"), ["3 1 1 ABCDEF"]);
    assert.match((await short("ssh.opendi.com", "SSHFP"))[0] ?? "", /^4 2 ABCDEF01/);
    assert.equal((await short("opendi.com", "NS")).length, 4);
    assert.match(
      (await short("opendi.com", "SOA"))[0] ?? "",
      /awsdns-hostmaster\.amazon\.com\. 1 7200 900 1209600 86400$/,
    );
  });

  test("is told what is not there, and for how long to believe it", async () => {
    const name = await dig("none.opendi.com");
    assert.match(name, /status: NXDOMAIN/);
    assert.match(name, /flags: qr aa;/);
    assert.match(name, /^opendi\.com\.\s+900\s+IN\s+SOA/m);
    const type = await dig("x.apps.opendi.com", "A");
    assert.match(type, /status: NOERROR/);
    assert.match(type, /ANSWER: 0, AUTHORITY: 1/);
    assert.match(await dig("opendi.org"), /status: REFUSED/);
    assert.match(await dig("opendi.com", "AXFR", "+notcp"), /status: REFUSED|Transfer failed/);
    assert.match(await dig("+opcode=STATUS", "+noedns", "opendi.com"), /status: NOTIMP/);
  });

  test("is sent to the servers of a part that others have", async () => {
    const told = await dig("a.b.sub.opendi.com");
    assert.match(told, /flags: qr;/);
    assert.match(told, /ANSWER: 0, AUTHORITY: 2/);
    assert.match(told, /^sub\.opendi\.com\.\s+300\s+IN\s+NS\s+ns\.example\.net\.$/m);
  });

  test("keeps its capital letters, and negotiates extensions", async () => {
    assert.match(await dig("oPeNdI.cOm"), /^oPeNdI\.cOm\.\s+60\s+IN\s+A/m);
    assert.match(await dig("+bufsize=4096", "opendi.com"), /EDNS: version: 0, flags:; udp: 1232/);
    assert.match(await dig("+edns=1", "+noednsnegotiation", "opendi.com"), /status: BADVERS/);
    assert.doesNotMatch(await dig("+noedns", "opendi.com"), /EDNS/);
  });

  test("comes back over a connection for what does not fit a datagram", async () => {
    assert.match(await dig("+ignore", "many.opendi.com"), /flags: qr aa tc;/);
    assert.equal((await short("many.opendi.com")).length, 200);
    assert.equal((await short("+tcp", "many.opendi.com")).length, 200);
    assert.deepEqual(await short("+tcp", "+keepopen", "opendi.com", "www.opendi.com"), [
      "127.0.1.1",
      "opendi.com.",
      "127.0.1.1",
    ]);
  });
});
