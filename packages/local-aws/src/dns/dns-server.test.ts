import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { ManualClock, nextTurn, systemClock } from "@gatewright/ports";
import { startDnsServer } from "./dns-server.ts";
import type { DnsServerOptions } from "./dns-server.ts";
import { zonesFromLines } from "./testing/zone-from-lines.ts";

const zones = zonesFromLines([
  "example.com.",
  "example.com. SOA ns.example.net. host.example.net. 1 7200 900 1209600 86400",
  "example.com. NS ns1.example.net.",
  "example.com. MX 10 mail.example.com.",
  'example.com. CAA 0 issue "amazon.com"',
  'example.com. TXT "one" "two"',
  "a.example.com. A 10.0.0.1",
  "a.example.com. AAAA 2001:db8::1",
  "c.example.com. CNAME a.example.com",
  "\\052.w.example.com. A 10.0.0.2",
  "_sip._tcp.example.com. SRV 1 2 5060 a.example.com",
  "p.example.com. PTR a.example.com",
  'n.example.com. NAPTR 1 2 "u" "sip" "!a!b!" .',
  ...Array.from({ length: 200 }, (_, n) => `many.example.com. A 10.0.1.${n}`),
]);

async function withServer(
  body: (port: number, resolver: Resolver) => Promise<void>,
  options: Partial<DnsServerOptions> = {},
): Promise<void> {
  const server = await startDnsServer({ zones, clock: systemClock, port: 0, ...options });
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${server.port}`]);
  try {
    await body(server.port, resolver);
  } finally {
    await server.close();
  }
}

test("a resolver that we did not write understands every type", async () => {
  await withServer(async (_port, resolver) => {
    assert.deepEqual(await resolver.resolve4("a.example.com", { ttl: true }), [{ address: "10.0.0.1", ttl: 60 }]);
    assert.deepEqual(await resolver.resolve6("a.example.com"), ["2001:db8::1"]);
    assert.deepEqual(await resolver.resolve4("c.example.com"), ["10.0.0.1"]);
    assert.deepEqual(await resolver.resolveCname("c.example.com"), ["a.example.com"]);
    assert.deepEqual(await resolver.resolve4("x.y.w.example.com"), ["10.0.0.2"]);
    assert.deepEqual(await resolver.resolveNs("example.com"), ["ns1.example.net"]);
    const [mx] = await resolver.resolveMx("example.com");
    assert.deepEqual([mx?.exchange, mx?.priority], ["mail.example.com", 10]);
    assert.deepEqual(await resolver.resolveTxt("example.com"), [["one", "two"]]);
    assert.equal((await resolver.resolveCaa("example.com"))[0]?.issue, "amazon.com");
    assert.deepEqual(await resolver.resolvePtr("p.example.com"), ["a.example.com"]);
    assert.equal((await resolver.resolveSoa("example.com")).minttl, 86_400);
    const [srv] = await resolver.resolveSrv("_sip._tcp.example.com");
    assert.deepEqual([srv?.name, srv?.port, srv?.priority, srv?.weight], ["a.example.com", 5060, 1, 2]);
    assert.equal((await resolver.resolveNaptr("n.example.com"))[0]?.regexp, "!a!b!");
  });
});

test("an answer that does not fit a datagram comes over a connection", async () => {
  await withServer(async (_port, resolver) => {
    assert.equal((await resolver.resolve4("many.example.com")).length, 200);
  });
});

test("absence and refusal are told apart", async () => {
  await withServer(async (_port, resolver) => {
    await assert.rejects(resolver.resolve4("none.example.com"), { code: "ENOTFOUND" });
    await assert.rejects(resolver.resolve4("example.com"), { code: "ENODATA" });
    await assert.rejects(resolver.resolve4("example.org"), { code: "EREFUSED" });
  });
});

test("a fault of the zones is told as one, and the server lives on", async () => {
  const faults: unknown[] = [];
  let broken = true;
  const sometimes = {
    zoneOf: (name: string) => {
      if (broken) throw new Error("broken");
      return zones.zoneOf(name);
    },
  };
  await withServer(
    async (_port, resolver) => {
      await assert.rejects(resolver.resolve4("a.example.com"), { code: "ESERVFAIL" });
      broken = false;
      assert.deepEqual(await resolver.resolve4("a.example.com"), ["10.0.0.1"]);
    },
    { zones: sometimes, onError: (error) => faults.push(error) },
  );
  assert.ok(faults.length > 0);
});

test("garbage over both transports does no harm", async () => {
  await withServer(async (port, resolver) => {
    const datagrams = createSocket("udp4");
    for (const bytes of [Buffer.alloc(0), Buffer.from([1]), Buffer.alloc(600, 0xff), Buffer.alloc(600, 0xc0)]) {
      await new Promise<void>((sent) => datagrams.send(bytes, port, "127.0.0.1", () => sent()));
    }
    datagrams.close();
    const connection = connect(port, "127.0.0.1");
    connection.on("error", () => {});
    connection.end(Buffer.concat([Buffer.from([0, 12]), Buffer.alloc(12, 0xff), Buffer.alloc(5000, 7)]));
    connection.resume();
    await once(connection, "close");
    assert.deepEqual(await resolver.resolve4("a.example.com"), ["10.0.0.1"]);
  });
});

test("questions over one connection are answered one after the other, however they are cut", async () => {
  await withServer(async (port) => {
    const question = Buffer.from("0000010000010000000000000161076578616d706c6503636f6d0000010001", "hex");
    const framed = Buffer.concat([Buffer.from([0, question.length]), question]);
    const connection = connect(port, "127.0.0.1");
    let received = 0;
    const all = new Promise<void>((resolve) => {
      connection.on("data", (chunk) => {
        received += chunk.length;
        if (received === 3 * (framed.length + 16)) resolve();
      });
    });
    const three = Buffer.concat([framed, framed, framed]);
    for (const byte of three.subarray(0, 40)) connection.write(Buffer.from([byte]));
    connection.write(three.subarray(40));
    await all;
    connection.destroy();
  });
});

test("a client that says nothing is sent away, and closing ends the rest", async () => {
  const clock = new ManualClock();
  await withServer(
    async (port) => {
      const silent = connect(port, "127.0.0.1");
      await once(silent, "connect");
      while (clock.pending === 0) await nextTurn();
      clock.advance(10_000);
      silent.resume();
      await once(silent, "close");
      const rest = connect(port, "127.0.0.1");
      rest.on("error", () => {});
      await once(rest, "connect");
    },
    { clock },
  );
  assert.equal(clock.pending, 0);
});

test("a taken port is an error", async () => {
  await withServer(async (port) => {
    await assert.rejects(startDnsServer({ zones, clock: systemClock, port }), { code: "EADDRINUSE" });
  });
});
