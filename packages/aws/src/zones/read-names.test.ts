import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedAws } from "../testing/scripted-aws.ts";
import { readNames } from "./read-names.ts";

const NEVER = new AbortController().signal;
const set = (Name: string, SetIdentifier?: string) => ({
  Name,
  Type: "A",
  TTL: 60,
  ResourceRecords: [{ Value: "10.0.0.1" }],
  ...(SetIdentifier !== undefined && { SetIdentifier, Weight: 1 }),
});
const page = (sets: readonly object[], next?: string, identifier?: string) => ({
  output: {
    ResourceRecordSets: sets,
    MaxItems: "300",
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextRecordName: next, NextRecordType: "A" }),
    ...(identifier !== undefined && { NextRecordIdentifier: identifier }),
  },
});

test("a page tells of all names up to its end; only what lies beyond is asked for", async () => {
  const { aws, calls } = scriptedAws("route53", [
    page([set("a.example.com."), set("a1.example.com."), set("c.example.com.")], "d.example.com."),
    page([set("\\052.z.example.com."), set("z1.example.com.")]),
  ]);
  const names = ["c.example.com", "*.z.example.com", "a.example.com", "b.example.com"];
  const found = await readNames(aws.route53, "Z", names, NEVER);
  assert.deepEqual(
    names.map((name) => found.get(name)?.length),
    [1, 1, 1, 0],
  );
  assert.deepEqual(
    calls.map(({ input }) => (input as { StartRecordName: string }).StartRecordName),
    ["a.example.com.", "*.z.example.com."],
  );
});

test("sets of a name go on over pages", async () => {
  const { aws, calls } = scriptedAws("route53", [
    page([set("a.example.com.", "1"), set("a.example.com.", "2")], "a.example.com.", "3"),
    page([set("a.example.com.", "3"), set("b.example.com.")], "c.example.com."),
  ]);
  const found = await readNames(aws.route53, "Z", ["a.example.com"], NEVER);
  assert.equal(found.get("a.example.com")?.length, 3);
  assert.deepEqual(calls[1]?.input, {
    HostedZoneId: "Z",
    MaxItems: "10",
    StartRecordName: "a.example.com.",
    StartRecordType: "A",
    StartRecordIdentifier: "3",
  });
});

test("a listing in an order that nobody expects ends all the same", async () => {
  const { aws, calls } = scriptedAws("route53", [page([set("b.example.com.")], "a.example.com.")]);
  const found = await readNames(aws.route53, "Z", ["b.example.com", "c.example.com"], NEVER);
  assert.deepEqual([found.get("b.example.com")?.length, calls.length], [1, 2]);
});
