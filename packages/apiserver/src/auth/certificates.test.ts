import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { connect, createServer } from "node:tls";
import type { TLSSocket } from "node:tls";
import { test } from "node:test";
import { ManualClock, systemClock, systemRandom } from "@gatewright/ports";
import { createCertificateAuthority, loadCertificateAuthority } from "./certificates.ts";

const options = { clock: systemClock, random: systemRandom };

test("a serving certificate is good for loopback, the in-cluster names and what else is asked for", async () => {
  const authority = await createCertificateAuthority(options);
  const serving = new X509Certificate((await authority.issueServing(["api.example.com", "10.0.0.1"])).certificate);
  for (const host of ["localhost", "kubernetes.default.svc", "api.example.com"])
    assert.ok(serving.checkHost(host), host);
  for (const ip of ["127.0.0.1", "::1", "10.0.0.1"]) assert.ok(serving.checkIP(ip), ip);
  assert.equal(serving.checkHost("evil.example.com"), undefined);
  assert.ok(serving.checkIssued(new X509Certificate(authority.certificate)));
  assert.ok(serving.verify(new X509Certificate(authority.certificate).publicKey));
});

test("a client certificate carries user and groups, also from an authority that was stored", async () => {
  const created = await createCertificateAuthority(options);
  const authority = await loadCertificateAuthority({ certificate: created.certificate, key: created.key }, options);
  const { certificate } = await authority.issueClient({ commonName: "admin", organizations: ["system:masters", "b"] });
  const client = new X509Certificate(certificate);
  assert.deepEqual(client.subject.split("\n").sort(), ["CN=admin", "O=b", "O=system:masters"]);
  assert.ok(client.verify(new X509Certificate(created.certificate).publicKey));
});

test("certificates outlive the year 2049", async () => {
  const authority = await createCertificateAuthority({ ...options, clock: new ManualClock(Date.UTC(2049, 5, 1)) });
  assert.equal(new X509Certificate(authority.certificate).validTo, "May 30 00:00:00 2059 GMT");
});

test("TLS with client certificates works both ways", async () => {
  const authority = await createCertificateAuthority(options);
  const serving = await authority.issueServing();
  const client = await authority.issueClient({ commonName: "alice", organizations: ["devs"] });
  const server = createServer({
    cert: serving.certificate,
    key: serving.key,
    ca: authority.certificate,
    requestCert: true,
  });
  const seen = new Promise<unknown>((resolve) => {
    server.on("secureConnection", (socket: TLSSocket) => {
      resolve([socket.authorized, socket.getPeerCertificate().subject.CN, socket.getPeerCertificate().subject.O]);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const socket = connect({
    port,
    host: "127.0.0.1",
    ca: authority.certificate,
    cert: client.certificate,
    key: client.key,
  });
  socket.resume();
  assert.deepEqual(await seen, [true, "alice", "devs"]);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
