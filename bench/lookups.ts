import { print } from "./figure.ts";
import { MIXES } from "./lookups/mixes.ts";
import type { Asked } from "./lookups/mixes.ts";
import { buildTable } from "../packages/gateway/src/table/routing-table.ts";

/*
 * What a lookup in the gateway's table costs by the number of routes. Two ways of asking: the same 100 requests again and again, which
 * shows what the algorithm costs, and one for every route in no order, which adds the misses of the processor's caches. A Map of as many
 * paths is asked in the same order: what memory alone costs.
 */
const SIZES = [100, 1000, 10_000, 50_000];
const FEW = 100;
const LOOKUPS = 10_000;
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 40);
/** Prime to all sizes: one after the other, far apart. */
const STRIDE = 7919;

/** Nanoseconds for each: the best of many rounds that are too short to be interrupted often, as neighbours only ever add to it. */
function nanoseconds(requests: readonly Asked[], ask: (asked: Asked) => unknown): number {
  let best = Infinity;
  let at = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    for (let count = 0; count < LOOKUPS; count++, at = (at + STRIDE) % requests.length) ask(requests[at]!);
    best = Math.min(best, ((performance.now() - began) * 1e6) / LOOKUPS);
  }
  return best;
}

for (const mix of MIXES) {
  const { name } = mix;
  const lines = SIZES.map((size) => {
    const { rows, requests } = mix.make(size);
    const began = performance.now();
    const table = buildTable(rows);
    const buildMs = performance.now() - began;
    for (const { question, route } of requests) {
      const found = table.match(question)?.route.name;
      if (found !== route) throw new Error(`${name}: ${question.path} went to ${found}, not to ${route}`);
    }
    // Neighbours, so that what is far from each other in memory counts as memory.
    const few = requests.slice(0, FEW);
    const map = new Map(requests.map((one) => [`${one.question.path} ${one.route}`, one]));
    const keys = new Map(requests.map((one) => [one, `${one.question.path} ${one.route}`]));
    return {
      size,
      buildMs,
      same: nanoseconds(few, ({ question }) => table.match(question)),
      all: nanoseconds(requests, ({ question }) => table.match(question)),
      peer: nanoseconds(requests, (one) => map.get(keys.get(one)!)),
    };
  });
  const [first] = lines;
  for (const { size, buildMs, same, all, peer } of lines) {
    const figures = [
      `the same ${FEW} requests ${same.toFixed(0)} ns (${(same / first!.same).toFixed(2)} x)`,
      `all routes ${all.toFixed(0)} ns (${(all / first!.all).toFixed(2)} x)`,
      `two plain Maps ${peer.toFixed(0)} ns (${(peer / first!.peer).toFixed(2)} x)`,
      `built in ${buildMs.toFixed(0)} ms`,
    ];
    print(`${name}: ${size.toLocaleString("en")} routes`, figures.join(", "));
  }
}
