import assert from "node:assert/strict";
import { test } from "node:test";
import { createClaimingTurns } from "./claiming-turns.ts";

/** Work that ends when it is told to, and says in which order things happened. */
function work(log: string[], name: string): { readonly run: () => Promise<void>; readonly end: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = async (): Promise<void> => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { run, end: resolve };
}

test("names are claimed beside each other, a wildcard alone in its domain, and other domains do not wait", async () => {
  const log: string[] = [];
  const turns = createClaimingTurns();
  const [one, two, wild, other] = ["one", "two", "wild", "other"].map((name) => work(log, name));
  const all = [
    turns("one.example.com", one!.run),
    turns("two.example.com", two!.run),
    turns("*.example.com", wild!.run),
    turns("*.example.org", other!.run),
  ];
  assert.deepEqual(log, ["one begins", "two begins", "other begins"]);
  one!.end();
  await all[0];
  assert.ok(!log.includes("wild begins"));
  two!.end();
  wild!.end();
  other!.end();
  await Promise.all(all);
  assert.ok(log.indexOf("wild begins") > log.indexOf("two ends"));
});

test("of many that wait only those go on at once that may", async () => {
  const turns = createClaimingTurns();
  let [wildcards, names] = [0, 0];
  const claim = (hostname: string) =>
    turns(hostname, async () => {
      const isWildcard = hostname.startsWith("*.");
      if (isWildcard) wildcards++;
      else names++;
      assert.ok(wildcards === 0 || (wildcards === 1 && names === 0));
      await Promise.resolve();
      if (isWildcard) wildcards--;
      else names--;
    });
  const hostnames = Array.from({ length: 60 }, (_, index) => `${index % 7 === 0 ? "*" : `n${index}`}.example.com`);
  await Promise.all(hostnames.map(claim));
});

test("a wildcard waits for what is claimed deeper below it, and the other way round", async () => {
  for (const [first, second] of [
    ["x.y.example.com", "*.example.com"],
    ["*.example.com", "*.y.example.com"],
  ] as const) {
    const log: string[] = [];
    const turns = createClaimingTurns();
    const [one, two] = [work(log, "one"), work(log, "two")];
    const both = [turns(first, one.run), turns(second, two.run)];
    assert.deepEqual(log, ["one begins"]);
    one.end();
    two.end();
    await Promise.all(both);
    assert.deepEqual(log, ["one begins", "one ends", "two begins", "two ends"]);
  }
});

test("work that fails makes room as well", async () => {
  const turns = createClaimingTurns();
  const failing = turns("*.example.com", () => Promise.reject(new Error("no")));
  const next = turns("one.example.com", () => Promise.resolve("made"));
  await assert.rejects(failing, /no/);
  assert.equal(await next, "made");
});
