import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";
import { print } from "./figure.ts";
import { median } from "./load.ts";
import { SoakBackend } from "./soak/backends.ts";
import { Pusher } from "./soak/edits.ts";
import { traffic } from "./soak/traffic.ts";
import type { Tally } from "./soak/traffic.ts";

/*
 * The gateway for a while under all that happens: connections that come and go, edits, backends that die. Requests to backends that
 * live must all be answered right; memory must not grow. GATEWRIGHT_MINUTES and GATEWRIGHT_EDITS say for how long and how many.
 */
const MINUTES = Number(process.env["GATEWRIGHT_MINUTES"] ?? 10);
const EDITS = Number(process.env["GATEWRIGHT_EDITS"] ?? 100_000);
const ROUTES = 40;
const OTHERS = 2000;

const child = fork(fileURLToPath(new URL("soak/gateway-process.ts", import.meta.url)), {
  // As the gateway's own command does.
  execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=32"],
});
const [{ http, configuration }] = (await once(child, "message")) as [{ http: number; configuration: number }];
const pusher = new Pusher(configuration);
const [steady, other, dying] = [new SoakBackend(), new SoakBackend(), new SoakBackend()];
for (const backend of [steady, other, dying]) await backend.start();

const at = (address: SoakBackend) => ({ address: "127.0.0.1", port: address.port });
await pusher.backend("steady", { hosts: [at(steady), at(other)] });
await pusher.backend("dying", { hosts: [at(dying), at(steady)] });
await pusher.backend("alone", { hosts: [at(dying)] });

const to = (name: string) => [{ destination: { host: name, port: 80 } }];
const prefix = (path: string) => [{ uri: { prefix: path } }];
const retries = { attempts: 3, retryOn: "5xx,reset,connect-failure,gateway-error" };
for (let n = 0; n < ROUTES; n++)
  await pusher.route(`steady-${n}`, { match: prefix(`/steady/${n}`), route: to("steady") });
await pusher.route("dying", { match: prefix("/dying"), route: to("dying"), retries });
await pusher.route("alone", { match: prefix("/alone"), route: to("alone") });

const end = performance.now() + MINUTES * 60_000;
const stopped = (): boolean => performance.now() >= end;
const tallies = new Map<string, Tally>();
const tally = (name: string): Tally => {
  const one = tallies.get(name) ?? { ok: 0, failed: new Map<string, number>() };
  tallies.set(name, one);
  return one;
};
const paths = Array.from({ length: ROUTES }, (_, n) => `/steady/${n}/x`);
const clients = [
  ...Array.from({ length: 8 }, () =>
    traffic(http, paths, true, tally("backends that live, kept connections"), stopped),
  ),
  ...Array.from({ length: 4 }, () =>
    traffic(http, paths, false, tally("backends that live, new connections"), stopped),
  ),
  ...Array.from({ length: 2 }, () =>
    traffic(http, ["/dying/y"], true, tally("one of two dies, with retries"), stopped),
  ),
  traffic(http, ["/alone/z"], true, tally("the only one dies"), stopped),
];

/** Routes in use change in ways that requests do not see; others come and go. */
async function edits(): Promise<number> {
  let done = 0;
  const edit = async (n: number): Promise<void> => {
    const used = n % ROUTES;
    if (n % 4 === 0) {
      const spec = { match: prefix(`/steady/${used}`), route: to("steady"), timeout: `${20 + (n % 10)}s` };
      await pusher.route(`steady-${used}`, { ...spec, headers: { request: { set: { "x-edit": String(n) } } } });
    } else if (n % 4 === 1)
      await pusher.route(`other-${n % OTHERS}`, { match: prefix(`/other/${n % OTHERS}`), route: to("steady") });
    else if (n % 4 === 2) await pusher.removeRoute(`other-${(n * 7) % OTHERS}`);
    else
      await pusher.backend("steady", {
        hosts: n % 8 === 3 ? [at(steady), at(other)] : [at(other), at(steady)],
        circuitBreaker: { enabled: true, threshold: 50 + (n % 5), timeout: "1s" },
      });
    done++;
  };
  const began = performance.now();
  for (let n = 0; n < EDITS && !stopped(); n += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, more) => edit(n + more)));
    const due = began + ((n + 10) / EDITS) * MINUTES * 60_000 * 0.95;
    if (due > performance.now()) await pause(due - performance.now());
  }
  return done;
}

async function deaths(): Promise<number> {
  let count = 0;
  while (!stopped()) {
    await pause(900);
    await dying.kill();
    count++;
    await pause(100);
    await dying.start();
  }
  return count;
}

const memory: number[] = [];
async function watch(): Promise<void> {
  while (!stopped()) {
    await pause(Math.max(1000, MINUTES * 500));
    memory.push(Number((await pusher.status()).status?.memoryBytes ?? 0n) / 1e6);
  }
}

const [edited, died] = await Promise.all([edits(), deaths(), watch(), ...clients]);
const { status } = await pusher.status();
print("edits", String(edited));
print("deaths of a backend", String(died));
for (const [name, { ok, failed }] of tallies) {
  const bad = Array.from(failed, ([what, count]) => `${count} x ${what}`).join(", ");
  print(`requests: ${name}`, `${ok} right, ${bad === "" ? "none else" : bad}`);
}
const third = Math.ceil(memory.length / 3);
const [first, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(-third))];
print("memory, middle third and last third", `${first.toFixed(0)} MB, ${last.toFixed(0)} MB`);
print("faults of the gateway", String(status?.errorRate ?? "?"));
pusher.close();
child.disconnect();
for (const backend of [steady, other, dying]) await backend.kill();
