import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { createAuthority } from "@gatewright/certificates";
import { ManualClock, nextTurn, systemClock, systemRandom } from "@gatewright/ports";
import { createLog } from "@gatewright/telemetry";
import { HeldObjects } from "../control/testing/held-objects.ts";
import { servePushes } from "./serve-pushes.ts";

const validity = { notBefore: systemClock.now() - 60_000, notAfter: systemClock.now() + 3_600_000 };

test("a certificate that was replaced is served from the next look on, and what is none changes nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pushes-"));
  const authority = createAuthority({ subject: { commonName: "ours" }, ...validity }, systemRandom);
  const [certFile, keyFile, caFile] = ["cert", "key", "ca"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(caFile, authority.certificate);
  const renew = async (host: string): Promise<void> => {
    const made = await authority.issue({ ...validity, names: { hosts: [host] }, usedBy: ["server", "client"] });
    await writeFile(certFile, made.certificate);
    await writeFile(keyFile, made.key);
  };
  await renew("one.test");
  const [clock, logged] = [new ManualClock(), [] as string[]];
  const server = await servePushes(
    { address: "127.0.0.1", port: 0, tls: { certFile, keyFile, caFile } },
    {
      target: new HeldObjects(),
      identity: { name: "gw", namespace: "edge", version: "1" },
      numbers: () => ({ activeConnections: 0, requestsPerSecond: 0, errorRate: 0, memoryBytes: 0, uptimeMs: 0 }),
    },
    { clock, log: createLog({ clock, write: (line) => void logged.push(line) }) },
    new AbortController().signal,
  );
  const shown = (): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const socket = connect({
        host: "127.0.0.1",
        port: server.port,
        ca: authority.certificate,
        rejectUnauthorized: false,
      });
      socket.on("secureConnect", () => {
        resolve(socket.getPeerCertificate().subjectaltname);
        socket.destroy();
      });
      socket.on("error", reject);
    });
  const look = async (lines: number): Promise<void> => {
    clock.advance(60_000);
    while (logged.length < lines || clock.pending === 0) await nextTurn();
  };
  assert.equal(await shown(), "DNS:one.test");
  await renew("two.test");
  await look(1);
  assert.equal(await shown(), "DNS:two.test");
  await writeFile(certFile, "no certificate");
  await look(2);
  assert.match(logged[1] ?? "", /cannot be used; the one before goes on/);
  assert.equal(await shown(), "DNS:two.test");
  server.close();
  assert.equal(clock.pending, 0);
  await rm(folder, { recursive: true });
});
