import { ALL_KINDS } from "@gatewright/infra";
import { print } from "./figure.ts";
import { leastSeconds } from "./infra/least-time.ts";
import { memoryAtRest } from "./infra/memory.ts";
import { SAMPLES } from "./infra/samples.ts";
import { virtualAccount } from "./infra/virtual-account.ts";

/** How many objects of each kind there are; `GATEWRIGHT_OBJECTS=100` for a quick look. */
const COUNT = Number(process.env["GATEWRIGHT_OBJECTS"] ?? 1_000);
/** Only these, or `memory`. */
const KINDS = (process.env["GATEWRIGHT_KINDS"] ?? "").split(",").filter((kind) => kind !== "");
const HOUR_MS = 3_600_000;
/** Reads that an object may cost in an hour. */
const GOAL = 6;

for (const { resource } of ALL_KINDS) {
  const { kind } = resource;
  const sample = SAMPLES[kind];
  if (sample === undefined || (KINDS.length > 0 && !KINDS.includes(kind))) continue;
  const account = await virtualAccount();
  const specs = Array.from({ length: COUNT }, (_, index) => sample(index));
  const seconds = await account.converge(resource, specs);
  const calls = account.journal.calls();
  const refused = calls.filter(({ code }) => code !== "OK" && code.includes("hrottl")).length;
  const least = leastSeconds(calls);
  const ratio =
    least === 0
      ? ""
      : `, ${(seconds / least).toFixed(2)} x the ${least.toFixed(0)} s that such an account needs for the calls`;
  print(`${COUNT} x ${kind}: as the spec says after`, `${seconds.toFixed(0)} s of AWS's time${ratio}`);
  print(`${COUNT} x ${kind}: calls each to get there`, (calls.length / COUNT).toFixed(2));
  print(`${COUNT} x ${kind}: calls that AWS throttled`, String(refused));
  print(`${COUNT} x ${kind}: requests to Kubernetes each`, (account.requests() / COUNT).toFixed(2));

  await account.time.run(account.time.monotonic() + HOUR_MS);
  account.journal.clear();
  const before = account.requests();
  await account.time.run(account.time.monotonic() + 2 * HOUR_MS);
  const reads = account.journal.calls().length / COUNT / 2;
  const writes = (account.requests() - before) / COUNT / 2;
  print(
    `${COUNT} x ${kind}: at rest, calls each in an hour`,
    `${reads.toFixed(3)}, ${(reads / GOAL).toFixed(2)} x the goal; ${writes.toFixed(3)} requests to Kubernetes`,
  );
  await account.stop();
}
if (KINDS.length === 0 || KINDS.includes("memory")) await memoryAtRest(10 * COUNT);
