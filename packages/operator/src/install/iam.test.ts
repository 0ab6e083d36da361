import assert from "node:assert/strict";
import { test } from "node:test";
import { PARTS } from "../part.ts";
import { iamCharacters, MOST_IAM_CHARACTERS, operatorIam } from "./iam.ts";
import { DEFAULT_INSTALL_SETTINGS } from "./install-settings.ts";

const settings = { ...DEFAULT_INSTALL_SETTINGS, cluster: "prod-eu-west-1-green" };

test("rights under one condition are one statement, each named once, and all of them fit into one policy", () => {
  const { Statement } = operatorIam({ ...settings, parts: PARTS });
  const sids = Statement.map(({ Sid }) => Sid);
  assert.equal(new Set(sids).size, sids.length);
  const keys = Statement.map(({ Resource, Condition }) => JSON.stringify([Resource, Condition]));
  assert.equal(new Set(keys).size, keys.length);
  const zones = ["Z0123456789ABCDEFGHIJ"];
  assert.ok(iamCharacters(operatorIam({ ...settings, zones })) <= MOST_IAM_CHARACTERS);
});

test("together it gives what the parts give one by one", () => {
  const rights = (parts: typeof settings.parts): string[] =>
    operatorIam({ ...settings, parts })
      .Statement.flatMap(({ Action, Resource, Condition }) =>
        Action.flatMap((action) => Resource.map((on) => JSON.stringify([action, on, Condition]))),
      )
      .sort();
  const each = [...rights(["hostnames"]), ...rights(["infra"])];
  assert.deepEqual(rights(PARTS), [...new Set(each)].sort());
  assert.deepEqual(rights(["routing", "applications"]), []);
});

test("records can be changed in the zones that are named alone; what is deleted carries the cluster's name", () => {
  const { Statement } = operatorIam({ ...settings, parts: ["hostnames"], zones: ["Z1", "Z2"], partition: "aws-cn" });
  const changing = Statement.filter(({ Action }) => Action.some((action) => action.startsWith("route53:Change")));
  assert.deepEqual(
    changing.map(({ Resource }) => Resource),
    [["arn:aws-cn:route53:::hostedzone/Z1", "arn:aws-cn:route53:::hostedzone/Z2"]],
  );
  const all = operatorIam({ ...settings, parts: PARTS }).Statement;
  const deleting = all.filter(({ Action }) =>
    Action.some((action) => /:(?:DeleteCert|DeleteQ|Terminate)/u.test(action)),
  );
  assert.ok(deleting.length > 0);
  for (const { Condition } of deleting) assert.match(JSON.stringify(Condition), /"prod-eu-west-1-green"/u);
});

test("roles of providers are assumed when they are named", () => {
  const roles = ["arn:aws:iam::123456789012:role/team-*"];
  const assuming = (parts: typeof settings.parts) =>
    operatorIam({ ...settings, parts, roles }).Statement.filter(({ Sid }) => Sid === "AssumeRoles");
  assert.deepEqual(
    assuming(["infra"]).map(({ Resource }) => Resource),
    [roles],
  );
  assert.deepEqual(assuming(["hostnames"]), []);
});
