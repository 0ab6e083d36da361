import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { nextTurn } from "@gatewright/ports";
import { openPort, setStage, target } from "./testing/stage.ts";

test("requests are shared by weight, and stay with the group whose cookie they bring", async (t) => {
  const stage = await setStage(t, { seed: 7 });
  const blue = await target(t, (_request, response) => response.end("blue"));
  const green = await target(t, (_request, response) => response.end("green"));
  const groups = [await stage.targetGroup("blue", [blue.port]), await stage.targetGroup("green", [green.port])];
  await stage.listener({
    Port: 80,
    DefaultActions: [
      {
        Type: "forward",
        ForwardConfig: {
          TargetGroups: [
            { TargetGroupArn: groups[0], Weight: 3 },
            { TargetGroupArn: groups[1], Weight: 1 },
          ],
          TargetGroupStickinessConfig: { Enabled: true, DurationSeconds: 60 },
        },
      },
    ],
  });
  for (const group of groups) await stage.health(group, "healthy");
  const seen = new Map<string, number>();
  for (let index = 0; index < 100; index++) {
    const { body } = await stage.get("/", { host: "a.test", port: 8080 });
    seen.set(body, (seen.get(body) ?? 0) + 1);
  }
  const share = seen.get("blue") ?? 0;
  assert.ok(share > 60 && share < 90 && share + (seen.get("green") ?? 0) === 100, `blue had ${share} of 100`);
  const first = await stage.get("/", { host: "a.test", port: 8080 });
  const cookie = first.headers["set-cookie"]?.[0]?.split(";", 1)[0] ?? "";
  assert.match(cookie, /^AWSALBTG=/);
  for (let index = 0; index < 20; index++) {
    assert.equal((await stage.get("/", { host: "a.test", port: 8080, headers: { Cookie: cookie } })).body, first.body);
  }
});

test("an unhealthy target gets nothing while another one is healthy; when all are unhealthy, all are tried", async (t) => {
  const stage = await setStage(t);
  let well = true;
  const one = await target(t, (_request, response) => response.writeHead(well ? 200 : 500).end("one"));
  const other = await target(t, (_request, response) => response.writeHead(200).end("other"));
  const group = await stage.targetGroup("pair", [one.port, other.port]);
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy", "healthy");
  const bodies = async (): Promise<Set<string>> => {
    const found = new Set<string>();
    for (let index = 0; index < 6; index++) found.add((await stage.get("/", { host: "a.test", port: 8080 })).body);
    return found;
  };
  assert.deepEqual(await bodies(), new Set(["one", "other"]));
  well = false;
  await stage.health(group, "healthy", "unhealthy");
  assert.deepEqual(await bodies(), new Set(["other"]));
  const { TargetHealthDescriptions } = await stage.call("DescribeTargetHealth", { TargetGroupArn: group });
  const sick = TargetHealthDescriptions?.find(({ TargetHealth }) => TargetHealth?.State === "unhealthy")?.TargetHealth;
  assert.deepEqual(
    [sick?.Reason, sick?.Description],
    ["Target.ResponseCodeMismatch", "Health checks failed with these codes: [500]"],
  );
  other.server.close();
  other.server.closeAllConnections();
  await stage.health(group, "unhealthy", "unhealthy");
  assert.ok((await bodies()).has("one"), "better a chance than none");
});

test("no targets: 503; nobody listens, nonsense is answered or protocols are switched unasked: 502; silence: 504", async (t) => {
  const stage = await setStage(t);
  await stage.call("ModifyLoadBalancerAttributes", {
    LoadBalancerArn: stage.loadBalancer,
    Attributes: [{ Key: "idle_timeout.timeout_seconds", Value: "1" }],
  });
  const nonsense = await openPort(
    t,
    createServer((socket) => void socket.end("this is not HTTP\r\n\r\n")),
  );
  const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
  const unasked = await openPort(
    t,
    createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => void socket.write(switched));
    }),
  );
  const silence = await openPort(
    t,
    createServer((socket) => {
      socket.on("error", () => {});
      socket.resume();
    }),
  );
  const ListenerArn = await stage.listener({ Port: 80 });
  const ports: readonly (readonly [string, readonly number[]])[] = [
    ["none", []],
    ["deaf", [1]],
    ["nonsense", [nonsense]],
    ["unasked", [unasked]],
    ["silence", [silence]],
  ];
  for (const [index, [name, targets]] of ports.entries()) {
    const TargetGroupArn = await stage.targetGroup(name, targets);
    await stage.call("CreateRule", {
      ListenerArn,
      Priority: index + 1,
      Conditions: [{ Field: "path-pattern", Values: [`/${name}`] }],
      Actions: [{ Type: "forward", TargetGroupArn }],
    });
  }
  const status = async (name: string): Promise<number> =>
    (await stage.get(`/${name}`, { host: "a.test", port: 8080 })).status;
  const seen: number[] = [];
  for (const [name] of ports) seen.push(await status(name));
  assert.deepEqual(seen, [503, 502, 502, 502, 504]);
  assert.equal((await stage.get("/none", { host: "a.test", port: 8080 })).headers["content-type"], "text/html");
});

test("a client that leaves before the answer is noted as 460, and its target is let go", async (t) => {
  const stage = await setStage(t);
  const left = Promise.withResolvers<void>();
  const { port } = await target(t, (request, response) => {
    if (request.url === "/wait") response.once("close", () => left.resolve());
    else response.end();
  });
  const group = await stage.targetGroup("slow", [port]);
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy");
  const socket = connect({ host: stage.address, port: 8080 });
  await once(socket, "connect");
  socket.write("GET /wait HTTP/1.1\r\nHost: a.test\r\n\r\n");
  await stage.health(group, "healthy");
  socket.destroy();
  await left.promise.catch(() => {});
  while (stage.requests.length === 0) await nextTurn();
  assert.equal(stage.requests[0]?.status, 460);
});

test("requests that two parsers could read in two ways are refused", async (t) => {
  const stage = await setStage(t);
  await stage.listener({ Port: 80 });
  const raw = async (text: string): Promise<string> => {
    const socket = connect({ host: stage.address, port: 8080 });
    socket.on("error", () => {});
    socket.write(text);
    const [first] = await once(socket, "data");
    socket.destroy();
    return String(first).slice(0, 12);
  };
  const bad = [
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(17_000)}\r\n\r\n`,
  ];
  for (const text of bad) assert.equal(await raw(text), "HTTP/1.1 400", JSON.stringify(text.slice(0, 90)));
  assert.equal(await raw(`GET /${"x".repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`), "HTTP/1.1 414");
  assert.equal(await raw("GET http://a.test/x HTTP/1.1\r\nHost: b\r\n\r\n"), "HTTP/1.1 404");
});

test("what comes behind a refused request reaches nobody, and the answers before it come first", async (t) => {
  const stage = await setStage(t);
  const reached: string[] = [];
  const { port } = await target(t, ({ url = "" }, response) => {
    if (url !== "/health") reached.push(url);
    response.end(url);
  });
  const group = await stage.targetGroup("web", [port], { HealthCheckPath: "/health" });
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy");
  const behind = "GET /behind HTTP/1.1\r\nHost: a\r\n\r\n";
  const socketBehind = "GET /socket HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";
  const refused = [
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  ];
  for (const text of refused) {
    for (const after of [behind, socketBehind, "nonsense\r\n\r\n"]) {
      const socket = connect({ host: stage.address, port: 8080 });
      socket.setEncoding("utf8");
      socket.write(`GET /before HTTP/1.1\r\nHost: a\r\n\r\n${text}${after}${behind}`);
      let heard = "";
      socket.on("data", (part: string) => (heard += part));
      await once(socket, "close");
      assert.deepEqual(heard.match(/HTTP\/1\.1 \d+/g), ["HTTP/1.1 200", "HTTP/1.1 400"], JSON.stringify(text + after));
    }
  }
  await stage.get("/last", { host: "a", port: 8080 });
  assert.deepEqual([...new Set(reached)], ["/before", "/last"]);
});

test("a listener that is deleted stops at once and lets a request end", async (t) => {
  const stage = await setStage(t);
  const arrived = Promise.withResolvers<() => void>();
  const { port } = await target(t, (request, response) => {
    if (request.url === "/wait") arrived.resolve(() => response.end("at last"));
    else response.end();
  });
  const group = await stage.targetGroup("slow", [port]);
  const ListenerArn = await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy");
  const waiting = stage.get("/wait", { host: "a.test", port: 8080 });
  const answer = await arrived.promise;
  await stage.call("DeleteListener", { ListenerArn });
  await stage.balancer.settled();
  await assert.rejects(stage.get("/", { host: "a.test", port: 8080 }), { code: "ECONNREFUSED" });
  answer();
  assert.equal((await waiting).body, "at last");
  assert.deepEqual(stage.balancer.endpoints(), []);
});

test("instances are where somebody says; without that they are unhealthy and say why", async (t) => {
  const { port } = await target(t, (_request, response) => response.end("instance"));
  const stage = await setStage(t, { targetAddress: (id) => (id === "i-1" ? { host: "127.0.0.1", port } : undefined) });
  const group = await stage.targetGroup("instances", [], { TargetType: "instance", Port: 80 });
  await stage.call("RegisterTargets", { TargetGroupArn: group, Targets: [{ Id: "i-1" }, { Id: "i-2" }] });
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: group }] });
  await stage.health(group, "healthy", "unhealthy");
  assert.equal((await stage.get("/", { host: "a.test", port: 8080 })).body, "instance");
  const { TargetHealthDescriptions } = await stage.call("DescribeTargetHealth", { TargetGroupArn: group });
  assert.match(TargetHealthDescriptions?.[1]?.TargetHealth?.Description ?? "", /No address is known for target 'i-2'/);
});

test("addresses that are only known to somebody lead where he says, ports of health checks too; others are taken as they are", async (t) => {
  const served = await target(t, (_request, response) => response.end("pod"));
  const checked = await target(t, (_request, response) => response.end("fine"));
  const plain = await target(t, (_request, response) => response.end("plain"));
  const asked = new Set<string>();
  const stage = await setStage(t, {
    targetAddress(ip, port, { account, region }) {
      asked.add(`${ip}:${port} ${account} ${region}`);
      if (ip !== "10.244.1.7") return undefined;
      return { host: "127.0.0.1", port: port === 9000 ? checked.port : served.port };
    },
  });
  const pods = await stage.targetGroup("pods", [], { TargetType: "ip", Port: 8080, HealthCheckPort: "9000" });
  await stage.call("RegisterTargets", { TargetGroupArn: pods, Targets: [{ Id: "10.244.1.7" }] });
  const hosts = await stage.targetGroup("hosts", [plain.port]);
  await stage.listener({ Port: 80, DefaultActions: [{ Type: "forward", TargetGroupArn: pods }] });
  await stage.listener({ Port: 81, DefaultActions: [{ Type: "forward", TargetGroupArn: hosts }] });
  await stage.health(pods, "healthy");
  await stage.health(hosts, "healthy");
  assert.equal((await stage.get("/", { host: "a.test", port: 8080 })).body, "pod");
  assert.equal((await stage.get("/", { host: "a.test", port: 8081 })).body, "plain");
  assert.deepEqual([...asked].filter((one) => one.startsWith("10.")).toSorted(), [
    "10.244.1.7:8080 000000000000 us-east-1",
    "10.244.1.7:9000 000000000000 us-east-1",
  ]);
});
