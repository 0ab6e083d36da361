import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerBound } from "./answer-bound.ts";
import { everyPage } from "./every-page.ts";
import type { ListingOptions } from "./every-page.ts";
import { byNextToken } from "./listing-ways.ts";
import { scriptedAws } from "./testing/scripted-aws.ts";

const page = (token: string, DomainName = "a.example.com") => ({
  output: { CertificateSummaryList: [{ DomainName }], NextToken: token },
});

/** Reads a listing to its end. Gives how many pages it had. */
async function read({ aws }: Pick<ReturnType<typeof scriptedAws>, "aws">, options?: ListingOptions): Promise<number> {
  let count = 0;
  for await (const _ of everyPage(byNextToken(aws.acm.listCertificates), {}, options)) count++;
  return count;
}

const endless = { name: "AwsCallError", kind: "retry", code: "MalformedAnswer", operation: "ListCertificates" };

test("a listing of as many pages as any account has is read to its end", async () => {
  const world = scriptedAws("acm", [...Array.from({ length: 300 }, (_, at) => page(`t${at}`)), page("")]);
  assert.equal(await read(world), 301);
  assert.deepEqual(world.calls[2]?.input, { NextToken: "t1" });
});

test("a listing that leads back to where it was is given up", { timeout: 10_000 }, async () => {
  const same = scriptedAws("acm", [page("same")]);
  await assert.rejects(read(same), { ...endless, message: /leads back to a page that it had/ });
  assert.equal(same.calls.length, 2);
  const circle = scriptedAws("acm", [page("a"), page("b"), page("a")]);
  await assert.rejects(read(circle), endless);
  assert.equal(circle.calls.length, 3);
});

test("a listing whose pages do not end is given up", async () => {
  const world = scriptedAws(
    "acm",
    Array.from({ length: 1_100 }, (_, at) => page(`t${at}`)),
  );
  await assert.rejects(read(world), { ...endless, message: /more than 1000 pages/ });
  assert.equal(world.calls.length, 1_000);
});

test("a listing whose pages are long is given up before there are many", async () => {
  const long = "a".repeat(4 * 1024 * 1024);
  const world = scriptedAws(
    "acm",
    Array.from({ length: 30 }, (_, at) => page(`t${at}`, long)),
  );
  await assert.rejects(read(world), { ...endless, message: /more than 67108864 bytes/ });
  assert.equal(world.calls.length, 16);
});

test("what is kept along with the pages is counted with them", async () => {
  const { aws } = scriptedAws("acm", [page("a"), page("")]);
  const bound = new AnswerBound(200);
  bound.took(await aws.acm.listCertificates({}));
  await assert.rejects(read({ aws }, { bound: new AnswerBound(20) }), endless);
  bound.took(await aws.acm.listCertificates({}));
  await assert.rejects(async () => bound.took(await aws.acm.listCertificates({})), endless);
});
