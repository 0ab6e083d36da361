import assert from "node:assert/strict";
import { test } from "node:test";
import { zonesFromLines as zones } from "./testing/zone-from-lines.ts";
import { lookup } from "./zone-lookup.ts";
import type { ZoneViews } from "./zone-view.ts";

const told = (world: ZoneViews, name: string, type = "A"): string[] => {
  const found = lookup(world, name, type);
  const answers = found.kind === "outside" ? [] : found.answers;
  return [found.kind, ...answers.map((record) => `${record.name} ${record.type} ${record.value}`)];
};

test("CNAMEs are followed through the zones that are here", () => {
  const world = zones(
    ["a.", "w.a. CNAME x.b", "out.a. CNAME elsewhere.", "gone.a. CNAME none.b."],
    ["b.", "x.b. A 10.0.0.1", "x.b. TXT t"],
  );
  assert.deepEqual(told(world, "w.a."), ["found", "w.a. CNAME x.b", "x.b. A 10.0.0.1"]);
  assert.deepEqual(told(world, "w.a.", "CNAME"), ["found", "w.a. CNAME x.b"]);
  assert.deepEqual(told(world, "w.a.", "MX"), ["noData", "w.a. CNAME x.b"]);
  assert.deepEqual(told(world, "out.a."), ["found", "out.a. CNAME elsewhere."]);
  assert.deepEqual(told(world, "gone.a."), ["noName", "gone.a. CNAME none.b."]);
  assert.deepEqual(told(world, "c."), ["outside"]);
});

test("a loop of CNAMEs ends", () => {
  const world = zones(["a.", "x.a. CNAME y.a.", "y.a. CNAME x.a.", "self.a. CNAME self.a.", "\\052.w.a. CNAME n.w.a."]);
  assert.deepEqual(told(world, "x.a."), ["found", "x.a. CNAME y.a.", "y.a. CNAME x.a."]);
  assert.deepEqual(told(world, "self.a."), ["found", "self.a. CNAME self.a."]);
  assert.deepEqual(told(world, "m.w.a."), ["found", "m.w.a. CNAME n.w.a.", "n.w.a. CNAME n.w.a."]);
});

test("a long chain is followed to a bound", () => {
  const chain = Array.from({ length: 40 }, (_, n) => `n${n}.a. CNAME n${n + 1}.a.`);
  assert.equal(told(zones(["a.", ...chain]), "n0.a.").length, 17);
});

test("names below a cut are delegated, the DS of the cut is not", () => {
  const world = zones(["a.", "sub.a. NS ns.b.", "sub.a. DS 1 8 2 00", "x.sub.a. A 10.0.0.1", "to.a. CNAME x.sub.a."]);
  for (const name of ["sub.a.", "x.sub.a.", "y.x.sub.a."]) assert.deepEqual(told(world, name), ["delegated"], name);
  assert.deepEqual(told(world, "sub.a.", "DS"), ["found", "sub.a. DS 1 8 2 00"]);
  assert.deepEqual(told(world, "to.a."), ["delegated", "to.a. CNAME x.sub.a."]);
  assert.deepEqual(told(world, "other.a."), ["noName"]);
});

test("the zone with the longest name answers", () => {
  const world = zones(["a.", "x.sub.a. A 10.0.0.1", "sub.a. DS 1 8 2 00"], ["sub.a.", "y.sub.a. A 10.0.0.2"]);
  assert.deepEqual(told(world, "x.sub.a."), ["noName"]);
  assert.deepEqual(told(world, "y.sub.a."), ["found", "y.sub.a. A 10.0.0.2"]);
  assert.deepEqual(told(world, "sub.a.", "DS"), ["found", "sub.a. DS 1 8 2 00"]);
  assert.deepEqual(told(world, "a.", "DS"), ["noData"]);
});

test("a wildcard does not reach over a name that exists, nor into what is below it", () => {
  // The examples of RFC 4592, 2.2.1.
  const world = zones([
    "example.",
    "\\052.example. TXT wild",
    "\\052.example. MX 10 host1.example.",
    "sub.\\052.example. TXT not",
    "host1.example. A 192.0.2.1",
    "_ssh._tcp.host1.example. SRV s",
    "subdel.example. NS ns.example.com.",
  ]);
  assert.deepEqual(told(world, "host3.example.", "MX"), ["found", "host3.example. MX 10 host1.example."]);
  assert.deepEqual(told(world, "host3.example.", "A"), ["noData"]);
  assert.deepEqual(told(world, "foo.bar.example.", "TXT"), ["found", "foo.bar.example. TXT wild"]);
  assert.deepEqual(told(world, "host1.example.", "MX"), ["noData"]);
  assert.deepEqual(told(world, "sub.\\052.example.", "MX"), ["noData"]);
  assert.deepEqual(told(world, "_telnet._tcp.host1.example.", "SRV"), ["noName"]);
  assert.deepEqual(told(world, "host.subdel.example.", "A"), ["delegated"]);
  assert.deepEqual(told(world, "ghost.\\052.example.", "MX"), ["noName"]);
  assert.deepEqual(told(world, "_tcp.host1.example.", "TXT"), ["noData"]);
});
