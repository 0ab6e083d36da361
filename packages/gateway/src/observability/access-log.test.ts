import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock, seededRandom } from "@gatewright/ports";
import { AccessLog } from "./access-log.ts";
import type { AccessLogOptions } from "./access-log.ts";
import { madeRecord } from "./testing/made-record.ts";

function logging(options: Partial<AccessLogOptions> = {}): {
  log: AccessLog;
  clock: ManualClock;
  written: string[];
  lines: () => Readonly<Record<string, unknown>>[];
} {
  const [clock, written] = [new ManualClock(), [] as string[]];
  const log = new AccessLog({
    write: (lines) => void written.push(lines),
    clock,
    random: seededRandom(7),
    sampleRate: 1,
    headers: [],
    ...options,
  });
  const lines = () =>
    written
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return { log, clock, written, lines };
}

test("a line tells who asked for what, who answered, and how it went", () => {
  const { log, lines, clock } = logging();
  log.tell(madeRecord({ target: "/a?b=c", route: "APIRoute default/a", tookMs: 1.23456 }));
  log.flush();
  assert.deepEqual(lines(), [
    {
      time: new Date(clock.now()).toISOString(),
      method: "GET",
      host: "a.example.com",
      path: "/a",
      protocol: "HTTP/1.1",
      status: 200,
      bytes: 10,
      durationMs: 1.235,
      client: "203.0.113.9",
      listener: "http",
      route: "APIRoute default/a",
      backend: "Backend default/b",
      endpoint: "10.0.0.7:80",
    },
  ]);
});

test("lines hold no secrets: neither queries nor credentials, whatever is asked for", () => {
  const headers = ["authorization", "cookie", "x-api-key", "proxy-authorization", "user-agent"];
  const { log, written } = logging({ headers });
  const fields = {
    authorization: "Bearer hush",
    cookie: "session=hush",
    "x-api-key": "hush",
    "proxy-authorization": "hush",
    "user-agent": "curl\n\u2028",
  };
  log.tell(madeRecord({ target: "/a?access_token=hush", fields, route: "r" }));
  log.flush();
  assert.doesNotMatch(written.join(""), /hush/);
  assert.match(written.join(""), /"headers":\{"user-agent":"curl\\n/);
  assert.equal(written.join("").split("\n").length, 2, "one line, whatever clients send");
});

test("a share of requests is written, and everything that failed", () => {
  const { log, lines } = logging({ sampleRate: 0.25 });
  for (let i = 0; i < 1000; i++) log.tell(madeRecord());
  for (let i = 0; i < 10; i++) log.tell(madeRecord({ status: 503 }));
  for (let i = 0; i < 10; i++) log.tell(madeRecord({ failure: "client_gone" }));
  log.flush();
  const failed = lines().filter(({ status, failure }) => status === 503 || failure !== undefined).length;
  assert.equal(failed, 20);
  const drawn = lines().length - failed;
  assert.ok(drawn > 180 && drawn < 320, `${drawn}`);
});

test("lines are written in batches, soon, and at once when there are many", () => {
  const { log, clock, written } = logging();
  log.tell(madeRecord());
  log.tell(madeRecord());
  assert.equal(written.length, 0);
  clock.advance(50);
  assert.equal(written.length, 1);
  assert.equal(clock.pending, 0);
  for (let i = 0; i < 1000; i++) log.tell(madeRecord());
  assert.ok(written.length > 1);
});
