import assert from "node:assert/strict";
import { test } from "node:test";
import { setStage, target } from "./testing/stage.ts";

test("a listener answers with a fixed response, with the error page of its status, or with a redirect", async (t) => {
  const stage = await setStage(t);
  const ListenerArn = await stage.listener({ Port: 80 });
  await stage.call("CreateRule", {
    ListenerArn,
    Priority: 1,
    Conditions: [{ Field: "host-header", Values: ["*.example.com"] }],
    Actions: [{ Type: "redirect", RedirectConfig: { Protocol: "HTTPS", Port: "443", StatusCode: "HTTP_301" } }],
  });
  const fixed = await stage.get("/a", { host: "other.net", port: 8080 });
  assert.deepEqual([fixed.status, fixed.body, fixed.headers.server], [404, "nothing here", "awselb/2.0"]);
  const moved = await stage.get("/a/b?c=d", { host: "www.example.com", port: 8080 });
  assert.deepEqual([moved.status, moved.headers.location], [301, "https://www.example.com:443/a/b?c=d"]);
  const direct = await stage.get("/a", { host: "www.example.com:8080", port: 8080 });
  assert.equal(direct.headers.location, "https://www.example.com:8443/a");
  assert.equal((await stage.get("/", { host: "bad host", port: 8080 })).status, 400);
});

test("SNI selects the certificate, new and renewed ones count at once", async (t) => {
  const stage = await setStage(t);
  const fallback = await stage.issue("default.test");
  const wild = await stage.issue("*.example.com");
  const exact = await stage.issue("a.example.com");
  const ListenerArn = await stage.listener({
    Port: 443,
    Protocol: "HTTPS",
    Certificates: [{ CertificateArn: fallback }],
  });
  await stage.call("AddListenerCertificates", { ListenerArn, Certificates: [{ CertificateArn: wild }] });
  const shown = async (host: string): Promise<string> => (await stage.get("/", { host, port: 8443 })).shown;
  assert.equal(await shown("a.example.com"), "DNS:*.example.com");
  await stage.call("AddListenerCertificates", { ListenerArn, Certificates: [{ CertificateArn: exact }] });
  assert.equal(await shown("a.example.com"), "DNS:a.example.com");
  assert.equal(await shown("b.example.com"), "DNS:*.example.com");
  assert.equal(await shown("default.test"), "DNS:default.test");
  await assert.rejects(shown("b.a.example.com"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  await stage.renew(exact, "a.example.com", "c.example.net");
  assert.equal(await shown("a.example.com"), "DNS:a.example.com, DNS:c.example.net");
});

test("a request reaches its target with who sent it, and the answer comes back whole", async (t) => {
  const stage = await setStage(t);
  const { port } = await target(t, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.writeHead(201, { "X-Own": "1", "Content-Type": "application/json" });
      response.end(
        JSON.stringify({ url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() }),
      );
    });
  });
  const group = await stage.targetGroup("echo", [port], { Matcher: { HttpCode: "201" } });
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy");
  const got = await stage.get("/p?q=1", {
    host: "app.test",
    port: 8080,
    method: "POST",
    body: "hello",
    headers: { "X-Forwarded-For": "10.9.9.9", Connection: "x-secret", "X-Secret": "1" },
  });
  assert.equal(got.status, 201);
  const seen = JSON.parse(got.body) as { url: string; body: string; headers: Record<string, string> };
  assert.deepEqual([seen.url, seen.body], ["/p?q=1", "hello"]);
  assert.equal(seen.headers["x-forwarded-for"], "10.9.9.9, 127.0.0.1");
  assert.deepEqual([seen.headers["x-forwarded-proto"], seen.headers["x-forwarded-port"]], ["http", "80"]);
  assert.match(seen.headers["x-amzn-trace-id"] ?? "", /^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  assert.deepEqual([seen.headers["host"], seen.headers["x-secret"]], ["app.test", undefined]);
  assert.deepEqual([stage.requests.at(-1)?.status, stage.requests.at(-1)?.targetStatus], [201, 201]);
});
