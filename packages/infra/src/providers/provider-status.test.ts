import assert from "node:assert/strict";
import { test } from "node:test";
import type { Aws } from "@gatewright/aws";
import { formatTime } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { AWSProvider } from "@gatewright/resources";
import { REASONS } from "../reasons.ts";
import type { Known } from "./provider-book.ts";
import { statusOf } from "./provider-status.ts";
import type { User } from "./users.ts";

const NOW = 1_900_000_000_000;
const IDENTITY = { account: "111111111111", arn: "arn:aws:iam::111111111111:root", partition: "aws" };
const PLACE = { endpoint: undefined, account: IDENTITY.account, region: "eu-west-1" };
const KNOWN: Known = {
  uid: "1",
  generation: 1,
  way: "",
  version: "shop/keys@7",
  asked: undefined,
  lastKeys: undefined,
  parting: false,
  open: undefined,
  session: { aws: {} as Aws, identity: IDENTITY, place: PLACE },
  trouble: undefined,
  failures: 0,
  dueAt: 0,
};
const provider = (status?: ReturnType<typeof statusOf>, deleting = false): Immutable<AWSProvider> => ({
  apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
  kind: "AWSProvider",
  metadata: {
    namespace: "shop",
    name: "aws",
    generation: 1,
    ...(deleting && { deletionTimestamp: formatTime(NOW) }),
  },
  spec: { region: "eu-west-1" },
  ...(status !== undefined && { status }),
});
const silent = (failures: number): Known => ({
  ...KNOWN,
  failures,
  trouble: { reason: REASONS.Unreachable, message: "No answer." },
});
const user = (name: string, account?: string, region = "eu-west-1"): User => ({ name, account, region });
const find = (status: ReturnType<typeof statusOf>, type: string) =>
  status.conditions?.find((each) => each.type === type);

test("a check that finds all as it was changes nothing, whatever the time", () => {
  const first = statusOf(provider(), KNOWN, [], NOW);
  assert.equal(first.lastAuthenticationTime, formatTime(NOW));
  assert.deepEqual(statusOf(provider(first), KNOWN, [], NOW + 300_000), first);
});

test("other keys, another identity and coming back are news, and move the time", () => {
  const first = statusOf(provider(), KNOWN, [], NOW);
  const later = NOW + 300_000;
  const rotated = statusOf(provider(first), { ...KNOWN, version: "shop/keys@8" }, [], later);
  assert.equal(rotated.lastAuthenticationTime, formatTime(later));
  const refused: Known = {
    ...KNOWN,
    session: undefined,
    trouble: { reason: REASONS.AuthenticationFailed, message: "No." },
  };
  const down = statusOf(provider(first), refused, [], later);
  assert.deepEqual(
    [down.ready, down.lastAuthenticationTime, down.accountID, down.credentialsVersion],
    [false, formatTime(NOW), IDENTITY.account, "shop/keys@7"],
  );
  assert.equal(find(down, "Ready")?.message, `No. ${REASONS.AuthenticationFailed.remedy}`);
  assert.equal(statusOf(provider(down), KNOWN, [], later).lastAuthenticationTime, formatTime(later));
});

test("a session that AWS is silent about stays ready for two checks, and is unknown after that", () => {
  const first = statusOf(provider(), KNOWN, [], NOW);
  for (const failures of [1, 2]) assert.deepEqual(statusOf(provider(first), silent(failures), [], NOW), first);
  const third = statusOf(provider(first), silent(3), [], NOW);
  assert.deepEqual(
    [third.ready, find(third, "Ready")?.status, find(third, "Ready")?.reason],
    [false, "Unknown", "Unreachable"],
  );
});

test("users elsewhere are told, those without a resource and those that are here are not", () => {
  const here = [user("A a/1"), user("A a/2", IDENTITY.account)];
  assert.equal(find(statusOf(provider(), KNOWN, here, NOW), "AccountChanged"), undefined);
  const other = statusOf(provider(), KNOWN, [...here, user("A a/3", "222222222222")], NOW);
  assert.match(find(other, "AccountChanged")?.message ?? "", /^Resources of A a\/3 are in account 222222222222/);
  const moved = statusOf(provider(), KNOWN, [user("A a/4", IDENTITY.account, "us-east-1")], NOW);
  assert.match(find(moved, "AccountChanged")?.message ?? "", /region us-east-1; .* region eu-west-1/);
  assert.equal(find(statusOf(provider(other), KNOWN, here, NOW), "AccountChanged"), undefined);
});

test("while it is being deleted users are counted, and some of them named", () => {
  const users = Array.from({ length: 30 }, (_, index) => user(`A a/${index}`));
  const held = statusOf(provider(undefined, true), KNOWN, users, NOW);
  assert.equal(held.usedBy?.length, 20);
  assert.match(find(held, "InUse")?.message ?? "", /A a\/0, A a\/1, A a\/2 and 27 more\./);
  assert.equal(statusOf(provider(), KNOWN, users, NOW).usedBy, undefined);
});
