import assert from "node:assert/strict";
import type { CaseAnswer, Expected, Seen } from "./routing-case.ts";

/** Compares an answer with what it has to be. */
export function assertAnswer(answer: CaseAnswer, expected: Expected, about: string): void {
  const told = `${about}\n${answer.status} ${JSON.stringify([...answer.headers])}\n${answer.body.slice(0, 2000)}`;
  if (expected.grpcStatus !== undefined) {
    assert.equal(answer.status, 200, `HTTP status of ${told}`);
    const allowed = [expected.grpcStatus].flat().map(String);
    assert.ok(
      allowed.includes(answer.headers.get("grpc-status") ?? ""),
      `status, not ${allowed.join(" or ")}, of ${told}`,
    );
  }
  if (expected.status !== undefined) {
    const allowed = [expected.status].flat();
    assert.ok(allowed.includes(answer.status), `status, not ${allowed.join(" or ")}, of ${told}`);
  }
  assertFields((name) => answer.headers.get(name), expected.headers, `in the answer of ${told}`);
  if (expected.body !== undefined) assertText(answer.body, expected.body, `body of ${told}`);
  if (expected.certificate !== undefined)
    assert.equal(answer.certificate, expected.certificate, `certificate at ${told}`);
  if (expected.json !== undefined) assert.deepEqual(JSON.parse(answer.body), expected.json, `body of ${told}`);
  if (expected.backend === undefined && expected.seen === undefined) return;
  const seen = seenIn(answer);
  assert.ok(seen !== undefined, `no backend answered ${told}`);
  if (expected.backend !== undefined) assert.equal(seen.backend, expected.backend, `backend of ${told}`);
  const { headers, ...rest } = expected.seen ?? {};
  for (const [name, value] of Object.entries(rest))
    assert.equal(seen[name as keyof Seen], value, `${name} that the backend saw of ${told}`);
  assertFields((name) => seen.headers[name], headers, `that the backend saw of ${told}`);
}

/** What the backend that made an answer saw; undefined: none did that tells. */
export function seenIn(answer: CaseAnswer): Seen | undefined {
  try {
    const told: unknown = JSON.parse(answer.body.split("\n")[0] ?? "");
    return typeof told === "object" && told !== null && "backend" in told ? (told as Seen) : undefined;
  } catch {
    // Not JSON: made by the gateway.
    return undefined;
  }
}

function assertFields(
  value: (name: string) => string | undefined,
  expected: Readonly<Record<string, string | RegExp | null>> = {},
  where: string,
): void {
  for (const [name, want] of Object.entries(expected)) {
    const got = value(name);
    if (want === null) assert.equal(got, undefined, `${name} ${where}`);
    else assertText(got ?? "(absent)", want, `${name} ${where}`);
  }
}

function assertText(got: string, want: string | RegExp, about: string): void {
  if (typeof want === "string") assert.equal(got, want, about);
  else assert.match(got, want, about);
}
