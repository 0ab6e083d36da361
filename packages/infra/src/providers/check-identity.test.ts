import assert from "node:assert/strict";
import { test } from "node:test";
import { AddressRefusedError, AwsCallError, CredentialsError } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { checkIdentity } from "./check-identity.ts";

const { signal } = new AbortController();

/** STS that answers, or throws, this. */
function stsOf(answer: object | Error): Aws["sts"] {
  const getCallerIdentity = async () => {
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { getCallerIdentity } as unknown as Aws["sts"];
}

const called = (
  kind: AwsCallError["kind"],
  code: string,
  { operation = "GetCallerIdentity", cause }: { readonly operation?: string; readonly cause?: unknown } = {},
): AwsCallError =>
  new AwsCallError({ kind, code, operation, service: "sts", message: "no", requestId: "r-1" }, { cause });

test("an identity has an account and an ARN, in any partition", async () => {
  const answer = { Account: "123456789012", Arn: "arn:aws-us-gov:sts::123456789012:assumed-role/a/b" };
  assert.deepEqual(await checkIdentity(stsOf(answer), signal), {
    is: "taken",
    identity: { account: "123456789012", arn: answer.Arn, partition: "aws-us-gov" },
  });
  for (const odd of [{}, { Account: "../1", Arn: answer.Arn }, { Account: "123456789012", Arn: "arn:evil\n:x" }]) {
    assert.equal((await checkIdentity(stsOf(odd), signal)).is, "unanswered");
  }
});

for (const [what, error, is, reason] of [
  ["a key that is not known", called("terminal", "InvalidClientTokenId"), "refused", "AuthenticationFailed"],
  ["a wrong signature", called("terminal", "SignatureDoesNotMatch"), "refused", "AuthenticationFailed"],
  ["keys that ended", called("retry", "ExpiredToken"), "refused", "AuthenticationFailed"],
  [
    "a role that does not trust us",
    called("terminal", "AccessDenied", { operation: "AssumeRole" }),
    "refused",
    "RoleDenied",
  ],
  [
    "wrong keys for a role",
    called("terminal", "InvalidClientTokenId", { operation: "AssumeRole" }),
    "refused",
    "AuthenticationFailed",
  ],
  ["throttling", called("throttled", "Throttling"), "unanswered", "Unreachable"],
  ["no answer", called("retry", "NoAnswer"), "unanswered", "Unreachable"],
  ["a web page", called("terminal", "404"), "unanswered", "Unreachable"],
  [
    "a name that leads to metadata",
    called("retry", "NoAnswer", { cause: new AddressRefusedError("inner.example") }),
    "refused",
    "EndpointNotAllowed",
  ],
  [
    "no identity of our own",
    new CredentialsError({ code: "NotConfigured", message: "none", remedy: "x" }),
    "refused",
    "NoOwnIdentity",
  ],
  [
    "a token file that is being replaced",
    new CredentialsError({ code: "TokenUnusable", message: "empty", remedy: "x" }),
    "unanswered",
    "Unreachable",
  ],
] as const) {
  test(`${what} is ${reason}`, async () => {
    const check = await checkIdentity(stsOf(error), signal);
    assert.deepEqual("reason" in check && [check.is, check.reason.reason], [is, reason]);
  });
}

test("what AWS said and its request id are told", async () => {
  const check = await checkIdentity(stsOf(called("terminal", "AccessDenied")), signal);
  assert.equal(check.is === "taken" ? "" : check.message, "sts GetCallerIdentity: AccessDenied: no (request r-1).");
});
