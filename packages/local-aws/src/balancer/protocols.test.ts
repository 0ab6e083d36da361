import assert from "node:assert/strict";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { ClientHttp2Session, IncomingHttpHeaders } from "node:http2";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { connect as connectTls } from "node:tls";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { nextTurn } from "@gatewright/ports";
import { openPort, setStage, target } from "./testing/stage.ts";
import type { Stage } from "./testing/stage.ts";

/** An HTTP/2 client of a stage. */
function session(t: TestContext, stage: Stage, host: string): ClientHttp2Session {
  const made = connectHttp2(`https://${host}:8443`, {
    host: stage.address,
    servername: host,
    ca: stage.authority,
    lookup: (_name, _options, done) => done(null, stage.address, 4),
  });
  t.after(() => made.destroy());
  return made;
}

interface Http2Got {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly endedWithHeaders: boolean;
}

function ask(client: ClientHttp2Session, headers: Record<string, string>, body?: Buffer): Promise<Http2Got> {
  return new Promise((resolve, reject) => {
    const stream = client.request(headers, { endStream: body === undefined });
    let first: IncomingHttpHeaders = {};
    let trailers: IncomingHttpHeaders = {};
    let endedWithHeaders = false;
    const parts: Buffer[] = [];
    stream.on("response", (told, flags) => {
      first = told;
      endedWithHeaders = (flags & 1) !== 0;
    });
    stream.on("trailers", (told) => (trailers = told));
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("error", reject);
    stream.on("end", () => resolve({ headers: first, trailers, body: Buffer.concat(parts), endedWithHeaders }));
    if (body !== undefined) stream.end(body);
  });
}

test("gRPC passes with its trailers, and an answer of headers alone stays one", async (t) => {
  const stage = await setStage(t);
  const grpc = createHttp2Server();
  grpc.on("stream", (stream, headers) => {
    const path = headers[":path"];
    if (path !== "/echo.Echo/Say") {
      stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "12" }, { endStream: true });
      stream.resume();
      return;
    }
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "grpc-message": "fine" }));
    stream.pipe(stream);
  });
  const port = await openPort(t, grpc);
  const group = await stage.targetGroup("grpc", [port], { ProtocolVersion: "GRPC" });
  const certificate = await stage.issue("grpc.test");
  await stage.listener({
    Port: 443,
    Protocol: "HTTPS",
    Certificates: [{ CertificateArn: certificate }],
    DefaultActions: [{ Type: "forward", TargetGroupArn: group }],
  });
  await stage.health(group, "healthy");
  const client = session(t, stage, "grpc.test");
  const call = { ":method": "POST", "content-type": "application/grpc", te: "trailers" };
  const message = Buffer.from([0, 0, 0, 0, 3, 1, 2, 3]);
  const said = await ask(client, { ...call, ":path": "/echo.Echo/Say" }, message);
  assert.deepEqual([said.headers[":status"], said.body], [200, message]);
  assert.deepEqual([said.trailers["grpc-status"], said.trailers["grpc-message"]], ["0", "fine"]);
  const unknown = await ask(client, { ...call, ":path": "/echo.Echo/Nothing" }, message);
  assert.deepEqual([unknown.headers["grpc-status"], unknown.endedWithHeaders], ["12", true]);
  client.destroy();
  await stage.balancer.close();
});

test("HTTP/2 clients reach targets of HTTP/1.1, many at a time", async (t) => {
  const stage = await setStage(t);
  const { port } = await target(t, (request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (part: string) => (body += part));
    request.on("end", () =>
      response.end(`${request.httpVersion} ${request.headers.host} ${request.headers.cookie ?? ""} ${body}`),
    );
  });
  const group = await stage.targetGroup("old", [port]);
  const certificate = await stage.issue("h2.test");
  await stage.listener({
    Port: 443,
    Protocol: "HTTPS",
    Certificates: [{ CertificateArn: certificate }],
    DefaultActions: [{ Type: "forward", TargetGroupArn: group }],
  });
  await stage.health(group, "healthy");
  const client = session(t, stage, "h2.test");
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ask(client, { ":method": "POST", ":path": "/", cookie: "a=1" }, Buffer.from(`n${index}`)),
    ),
  );
  for (const [index, { body }] of all.entries()) assert.equal(body.toString(), `1.1 h2.test:8443 a=1 n${index}`);
  const head = await ask(client, { ":method": "HEAD", ":path": "/" });
  assert.deepEqual([head.headers[":status"], head.body.length], [200, 0]);
  client.destroy();
  await stage.balancer.close();
});

test("a WebSocket is joined end to end; a target that refuses is heard", async (t) => {
  const stage = await setStage(t);
  const { port, server } = await target(t, (_request, response) => response.end("no socket"));
  server.on("upgrade", (request, socket) => {
    if (request.url === "/no") {
      socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Key: ${request.headers["sec-websocket-key"]}\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  const group = await stage.targetGroup("ws", [port]);
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy");
  const upgrade = (path: string): string =>
    `GET ${path} HTTP/1.1\r\nHost: ws.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: abc\r\n\r\n`;
  const socket = connect({ host: stage.address, port: 8080 });
  socket.setEncoding("utf8");
  socket.write(`${upgrade("/")}early`);
  let heard = "";
  const until = async (text: string): Promise<void> => {
    while (!heard.includes(text)) heard += String((await once(socket, "data"))[0]);
  };
  await until("early");
  assert.match(heard, /^HTTP\/1\.1 101 .*X-Key: abc\r\n\r\nearly$/s);
  socket.write("later");
  await until("later");
  socket.destroy();

  const refused = connect({ host: stage.address, port: 8080 });
  refused.setEncoding("utf8");
  refused.write(upgrade("/no"));
  assert.match(String((await once(refused, "data"))[0]), /^HTTP\/1\.1 403 /);
  refused.destroy();
  await stage.balancer.close();
});

test("a target that refuses a WebSocket is heard to the end, with what the load balancer adds to every answer", async (t) => {
  const stage = await setStage(t);
  const { port, server } = await target(t, (_request, response) => response.end());
  const refusals: Readonly<Record<string, readonly string[]>> = {
    "/login": ["HTTP/1.1 302 Found\r\nLocation: /sign-in\r\nContent-Length: 0\r\n\r\n"],
    "/counted": ["HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 8\r\n\r\nwho ", "are?"],
    "/chunked": ["HTTP/1.1 429 Slow Down\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nslow\r\n", "4\r\ndown\r\n0\r\n\r\n"],
    "/broken": ["HTTP/1.1 401 Unauthorized\r\nContent-Length: 80\r\n\r\nwho "],
  };
  server.on("upgrade", ({ url = "" }, socket) => {
    const [first = "", rest = ""] = refusals[url] ?? [];
    socket.write(first, () => {
      socket.write(rest);
      // Those that are whole are left open: where an answer ends is said by its length.
      if (url === "/broken") socket.end();
    });
  });
  const group = await stage.targetGroup("ws", [port]);
  await stage.call("ModifyTargetGroupAttributes", {
    TargetGroupArn: group,
    Attributes: [{ Key: "stickiness.enabled", Value: "true" }],
  });
  const listener = await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.call("ModifyListenerAttributes", {
    ListenerArn: listener,
    Attributes: [{ Key: "routing.http.response.x_frame_options.header_value", Value: "DENY" }],
  });
  await stage.balancer.settled();
  await stage.health(group, "healthy");
  const refused = async (path: string): Promise<string> => {
    const socket = connect({ host: stage.address, port: 8080 });
    socket.setEncoding("utf8");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ws.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    let heard = "";
    socket.on("data", (part: string) => (heard += part));
    await once(socket, "close");
    return heard;
  };
  const login = await refused("/login");
  assert.match(login, /^HTTP\/1\.1 302 .*Location: \/sign-in\r\n.*\r\n\r\n$/s);
  assert.match(login, /set-cookie: AWSALB=/i);
  assert.match(login, /x-frame-options: DENY/i);
  assert.match(await refused("/counted"), /^HTTP\/1\.1 401 .*WWW-Authenticate: Bearer\r\n.*\r\n\r\nwho are\?$/s);
  assert.match(await refused("/chunked"), /^HTTP\/1\.1 429 .*\r\n\r\n4\r\nslow\r\n4\r\ndown\r\n0\r\n\r\n$/s);
  assert.match(await refused("/broken"), /^HTTP\/1\.1 401 .*\r\n\r\nwho $/s);
  while (stage.requests.length < 4) await nextTurn();
  assert.deepEqual(
    stage.requests.map(({ status, targetStatus, problem }) => [status, targetStatus, problem]),
    [
      [302, 302, undefined],
      [401, 401, undefined],
      [429, 429, undefined],
      [401, 401, "the answer broke off"],
    ],
  );
  await stage.balancer.close();
});

test("a network load balancer passes bytes on, and ends TLS with its certificate", async (t) => {
  const stage = await setStage(t);
  const echo = createServer((socket) => socket.pipe(socket));
  const port = await openPort(t, echo);
  const { LoadBalancers } = await stage.call("CreateLoadBalancer", {
    Name: "bytes",
    Type: "network",
    Subnets: ["subnet-a"],
  });
  const { LoadBalancerArn = "", DNSName = "" } = LoadBalancers?.[0] ?? {};
  const record = stage.elb.store.loadBalancers.get(LoadBalancerArn);
  assert.ok(record);
  // Beside the address of the stage, which no other test has.
  const berth = (stage.elb.store.loadBalancers.get(stage.loadBalancer)?.berth ?? 0) + 100;
  await stage.elb.store.commit((commit) =>
    commit.put(stage.elb.store.loadBalancers, LoadBalancerArn, { ...record, berth }),
  );
  const group = await stage.targetGroup("tcp", [port], { Protocol: "TCP", HealthCheckProtocol: "TCP" });
  const certificate = await stage.issue("tcp.test");
  const DefaultActions = [{ Type: "forward", TargetGroupArn: group }];
  await stage.call("CreateListener", { LoadBalancerArn, Protocol: "TCP", Port: 9000, DefaultActions });
  await stage.call("CreateListener", {
    LoadBalancerArn,
    Protocol: "TLS",
    Port: 443,
    Certificates: [{ CertificateArn: certificate }],
    DefaultActions,
  });
  await stage.balancer.settled();
  await stage.health(group, "healthy");
  const host = stage.elb.names.addressesOf(DNSName)?.ipv4[0] ?? "";
  const plain = connect({ host, port: 9000 });
  plain.write("plain");
  assert.equal(String((await once(plain, "data"))[0]), "plain");
  plain.destroy();
  const secure = connectTls({ host, port: 8443, servername: "tcp.test", ca: stage.authority });
  secure.write("secret");
  assert.equal(String((await once(secure, "data"))[0]), "secret");
  secure.destroy();
  await stage.balancer.close();
});

test("a client that names no server gets the default certificate", async (t) => {
  const stage = await setStage(t);
  const certificate = await stage.issue("default.test");
  await stage.listener({ Port: 443, Protocol: "HTTPS", Certificates: [{ CertificateArn: certificate }] });
  const socket = connectTls({
    host: stage.address,
    port: 8443,
    ca: stage.authority,
    checkServerIdentity: () => undefined,
  });
  await once(socket, "secureConnect");
  assert.equal(socket.getPeerCertificate().subjectaltname, "DNS:default.test");
  socket.destroy();
  await stage.renew(certificate, "default.test", "more.test");
  const again = connectTls({
    host: stage.address,
    port: 8443,
    ca: stage.authority,
    checkServerIdentity: () => undefined,
  });
  await once(again, "secureConnect");
  assert.equal(again.getPeerCertificate().subjectaltname, "DNS:default.test, DNS:more.test");
  again.destroy();
  const old = connectTls({
    host: stage.address,
    port: 8443,
    ca: stage.authority,
    servername: "default.test",
    maxVersion: "TLSv1.1",
    minVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const [refused] = await once(old, "error").catch((error: unknown) => [error]);
  assert.match(String(refused), /protocol version|unsupported protocol/i);
});

test("an answer that HTTP/2 cannot carry breaks off instead of leaving the client waiting", async (t) => {
  const stage = await setStage(t);
  const { port } = await target(t, (_request, response) => {
    response.writeHead(200, ["Content-Type", "text/plain", "Content-Type", "text/html"]);
    response.end("two minds");
  });
  const group = await stage.targetGroup("odd", [port]);
  const certificate = await stage.issue("odd.test");
  await stage.listener({
    Port: 443,
    Protocol: "HTTPS",
    Certificates: [{ CertificateArn: certificate }],
    DefaultActions: [{ Type: "forward", TargetGroupArn: group }],
  });
  await stage.health(group, "healthy");
  const client = session(t, stage, "odd.test");
  await assert.rejects(ask(client, { ":method": "GET", ":path": "/" }), /INTERNAL_ERROR/);
  client.destroy();
  await stage.balancer.close();
});

test("a port that is taken is told, and had as soon as it is free", async (t) => {
  const stage = await setStage(t);
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(8080, stage.address, resolve));
  await stage.listener({ Port: 80 });
  assert.match(stage.balancer.endpoints()[0]?.problem ?? "", /EADDRINUSE/);
  await new Promise((resolve) => squatter.close(resolve));
  await stage.listener({ Port: 81 });
  assert.deepEqual(
    stage.balancer
      .endpoints()
      .map(({ port, problem }) => [port, problem])
      .toSorted(([one], [other]) => Number(one) - Number(other)),
    [
      [8080, undefined],
      [8081, undefined],
    ],
  );
});
