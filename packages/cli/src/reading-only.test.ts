import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadingOnlyError, readingOnly } from "./reading-only.ts";

test("reads and dry runs pass, writes are not sent", async () => {
  const sent: string[] = [];
  const transport = readingOnly(async ({ method, path }) => {
    sent.push(`${method} ${path}`);
    return { status: 200, headers: {}, body: (async function* () {})() };
  });
  const path = "/api/v1/namespaces/shop/secrets";
  await transport({ method: "GET", path: `${path}/a` });
  await transport({ method: "POST", path: `${path}?dryRun=All&fieldManager=x` });
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    await assert.rejects(transport({ method, path }), ReadingOnlyError);
    await assert.rejects(transport({ method, path: `${path}?dryRun=` }), ReadingOnlyError);
    await assert.rejects(transport({ method, path: `${path}?dryrun=All` }), ReadingOnlyError);
  }
  assert.equal(sent.length, 2);
});
