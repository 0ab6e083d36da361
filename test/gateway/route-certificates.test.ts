import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { createAuthority } from "@gatewright/certificates";
import type { KeyPair } from "@gatewright/certificates";
import { Gateway, readSettings } from "@gatewright/gateway";
import type { GivenObject } from "@gatewright/gateway";
import { systemClock, systemRandom } from "@gatewright/ports";

const never = new AbortController().signal;
const now = systemClock.now();
const validity = { notBefore: now - 60_000, notAfter: now + 3_600_000 };
const authority = createAuthority({ subject: { commonName: "test" }, ...validity }, systemRandom);
const issued = (...hosts: string[]): Promise<KeyPair> =>
  authority.issue({ subject: { commonName: hosts[0] ?? "" }, names: { hosts }, usedBy: ["server"], ...validity });

function route(name: string, host: string, tls: object, createdAt: string): GivenObject {
  const spec = { hosts: [host], tls, directResponse: { status: 200, body: name } };
  return { kind: "APIRoute", namespace: "default", name, version: "1", spec, createdAt };
}

/** The common name of the certificate that is shown for a host, and what a request is answered. */
function asked(port: number, serverName: string, host = serverName): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: serverName,
      ca: authority.certificate,
      ALPNProtocols: ["http/1.1"],
    });
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("secureConnect", () => {
      answer = `${String(socket.getPeerCertificate().subject.CN)}: `;
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    socket.on("data", (text: string) => (answer += text.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

test("a route's own certificate is shown for its hosts, from the moment the route is there until it goes", async () => {
  const directory = await mkdtemp(join(tmpdir(), "route-certificates-"));
  const files = await issued("fallback.example");
  await writeFile(join(directory, "tls.crt"), files.certificate);
  await writeFile(join(directory, "tls.key"), files.key);
  const { settings } = readSettings(
    {
      apiVersion: "gateway.avapigw.io/v1",
      kind: "Gateway",
      metadata: { name: "t" },
      spec: {
        listeners: [
          {
            name: "https",
            protocol: "HTTPS",
            address: "127.0.0.1",
            port: 0,
            tls: { certFile: "tls.crt", keyFile: "tls.key" },
          },
        ],
      },
    },
    join(directory, "gateway.json"),
  );
  const faults: unknown[] = [];
  const gateway = new Gateway(settings, {
    clock: systemClock,
    random: systemRandom,
    observer: { started() {}, ended() {}, fault: (where, error) => faults.push(where, error) },
    fault: (error) => faults.push(error),
  });
  try {
    await gateway.listen(settings, never);
    const { port } = gateway.bound[0]!;
    const shop = await issued("shop.example");
    const wild = await issued("*.wild.example");
    const inline = ({ certificate, key }: KeyPair) => ({ certificate, key });
    assert.deepEqual(
      gateway.replace([
        route("shop", "shop.example", inline(shop), "2026-01-01T00:00:00Z"),
        route("later", "shop.example", inline(wild), "2026-02-01T00:00:00Z"),
        route("wild", "*.wild.example", inline(wild), "2026-01-01T00:00:00Z"),
        route("plain", "fallback.example", {}, "2026-01-01T00:00:00Z"),
      ]),
      [],
    );
    assert.equal(await asked(port, "shop.example"), "shop.example: HTTP/1.1 200 OK");
    assert.equal(await asked(port, "a.wild.example"), "*.wild.example: HTTP/1.1 200 OK");
    assert.equal(await asked(port, "fallback.example"), "fallback.example: HTTP/1.1 200 OK");
    assert.equal(await asked(port, "shop.example", "a.wild.example"), "shop.example: HTTP/1.1 421 Misdirected Request");
    const renewed = await authority.issue({
      subject: { commonName: "renewed" },
      names: { hosts: ["shop.example"] },
      usedBy: ["server"],
      ...validity,
    });
    gateway.change([route("shop", "shop.example", inline(renewed), "2026-01-01T00:00:00Z")], []);
    assert.match(await asked(port, "shop.example"), /^renewed: HTTP\/1.1 200/u);
    const [finding] = gateway.change(
      [route("shop", "shop.example", { certificate: shop.certificate, key: renewed.key }, "2026-01-01T00:00:00Z")],
      [],
    );
    assert.equal(finding?.message, "certificate and key cannot be read, or do not belong together");
    assert.match(await asked(port, "shop.example"), /^renewed: /u);
    gateway.change([], [{ kind: "APIRoute", namespace: "default", name: "wild" }]);
    assert.match(await asked(port, "fallback.example"), /^fallback/u);
    assert.deepEqual(faults, []);
  } finally {
    await gateway.close(0, never);
    await rm(directory, { recursive: true });
  }
});
