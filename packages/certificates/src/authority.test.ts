import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import { test } from "node:test";
import { seededRandom, systemClock, systemRandom } from "@gatewright/ports";
import { createAuthority, loadAuthority } from "./authority.ts";
import type { KeyPair } from "./authority.ts";
import { certificateFacts, isIssuedBy, isPair } from "./certificate-facts.ts";
import { certificatesIn } from "./pem.ts";

const HOUR = 3_600_000;
const FROM = Date.UTC(2030, 0, 1);
const year = { notBefore: FROM, notAfter: FROM + 365 * 24 * HOUR };

/** A certificate that holds now. */
const current = { notBefore: systemClock.now() - HOUR, notAfter: systemClock.now() + HOUR };

test("a leaf tells its names, its time and its issuer", async () => {
  const authority = createAuthority({ subject: { commonName: "root" }, ...year }, seededRandom());
  const names = { hosts: ["a.example.com", "*.b.example.com", "10.0.0.1", "2001:db8::1"], uris: ["spiffe://a/b, c"] };
  await assert.rejects(authority.issue({ names, usedBy: ["server"], ...year }), /no name that a certificate can hold/);
  const uris = ["spiffe://example.com/ns/a/sa/b"];
  const leaf = await authority.issue({ names: { ...names, uris }, usedBy: ["server", "client"], ...year });
  const facts = certificateFacts(leaf.certificate);
  assert.deepEqual([facts.hosts, facts.uris], [names.hosts, uris]);
  assert.deepEqual([facts.notBefore, facts.notAfter], [year.notBefore, year.notAfter]);
  assert.deepEqual([facts.subject, facts.issuer, facts.authority], ["", "CN=root", false]);
  assert.equal(facts.serial.length, 32);
  assert.ok(isIssuedBy(leaf.certificate, authority.certificate) && isPair(leaf));
  assert.ok(!isPair({ certificate: leaf.certificate, key: authority.key }));
});

test("an authority vouches for its own leaves only, also when another one has the same name", async () => {
  const random = seededRandom();
  const request = { subject: { commonName: "root", organizations: ["us"] }, ...year };
  const [one, other] = [createAuthority(request, random), createAuthority(request, random)];
  const leaf = await one.issue({ subject: { commonName: "a" }, usedBy: ["client"], ...year });
  assert.ok(!isIssuedBy(leaf.certificate, other.certificate));
  assert.ok(!isIssuedBy(leaf.certificate, leaf.certificate));
  assert.throws(() => loadAuthority({ certificate: one.certificate, key: other.key }, random), /not the one/);
  const loaded = loadAuthority(one, random);
  assert.ok(isIssuedBy((await loaded.issue({ usedBy: ["client"], ...year })).certificate, one.certificate));
  assert.deepEqual(certificatesIn(`# mine\n${one.certificate}\n${other.certificate}`), [
    one.certificate,
    other.certificate,
  ]);
});

test("the same randomness gives the same serial number and key", async () => {
  const request = { subject: { commonName: "root" }, ...year };
  const [one, again] = [createAuthority(request, seededRandom(3)), createAuthority(request, seededRandom(3))];
  assert.equal(one.key, again.key);
  assert.equal(certificateFacts(one.certificate).serial, certificateFacts(again.certificate).serial);
});

test("an authority says how far its word reaches", () => {
  const raw = (pathLength?: number | "any"): string =>
    new X509Certificate(
      createAuthority(
        { subject: { commonName: "r" }, ...year, ...(pathLength !== undefined && { pathLength }) },
        seededRandom(),
      ).certificate,
    ).raw.toString("hex");
  assert.ok(raw().includes("30060101ff020100"), "leaves only");
  assert.ok(raw(2).includes("30060101ff020102"), "two authorities below it");
  assert.ok(raw("any").includes("30030101ff"), "no limit");
});

/** What the server knows of the client after a handshake in which both ask for a certificate. */
async function shakeHands(authority: string, serving: KeyPair, client: KeyPair): Promise<unknown> {
  const server = createServer({ cert: serving.certificate, key: serving.key, ca: authority, requestCert: true });
  const seen = new Promise<unknown>((resolve) => {
    server.on("secureConnection", (socket: TLSSocket) => {
      resolve([socket.authorized, socket.getPeerCertificate().subject.CN]);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const socket = connect({ port, host: "127.0.0.1", ca: authority, cert: client.certificate, key: client.key });
  const failed = new Promise((_resolve, reject) => socket.once("error", reject));
  socket.resume();
  try {
    return await Promise.race([seen, failed]);
  } finally {
    socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

for (const keyType of ["P-256", "RSA-2048"] as const) {
  test(`TLS takes leaves with ${keyType} keys on both sides`, async () => {
    const authority = createAuthority({ subject: { commonName: "root" }, ...current }, systemRandom);
    const serving = await authority.issue({ names: { hosts: ["127.0.0.1"] }, usedBy: ["server"], keyType, ...current });
    const client = await authority.issue({ subject: { commonName: "alice" }, usedBy: ["client"], keyType, ...current });
    assert.deepEqual(await shakeHands(authority.certificate, serving, client), [true, "alice"]);
  });
}
