import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../usage-error.ts";
import { manifests } from "./manifests.ts";

const refused = (args: readonly string[], message: RegExp): Promise<void> =>
  assert.rejects(
    manifests(args),
    (error) => error instanceof UsageError && message.test(error.message),
    `${args.join(" ")}: ${String(message)}`,
  );

test("what cannot be printed is told with what to do", async () => {
  await refused(
    ["--only", "dns"],
    /--only is some of namespaces, crds, rbac, policy, webhook, classes, or iam, not "dns"/u,
  );
  await refused(["--only", ","], /--only is some of/u);
  await refused(["--only", "iam,rbac"], /--only iam stands alone/u);
  await refused(["--only", "iam"], /--only iam needs --cluster-name/u);
  await refused(["--only", "iam", "--parts", "routing"], /there is no policy to attach/u);
  await refused(["--parts", "dns"], /--parts is one of hostnames, infra, routing, applications, not "dns"/u);
  await refused(
    ["--zone", "opendi.com"],
    /--zone takes the id of a hosted zone such as Z0123456789ABC, not "opendi.com"/u,
  );
  await refused(["--enable-webhooks", "perhaps"], /--enable-webhooks is one of true, false, not "perhaps"/u);
  await refused(["crds"], /^it takes no words, and "crds" is one[^]*Usage: gatewright manifests/u);
  await refused(["-o", "xml"], /--output is one of yaml, json/u);
  await refused(["--no-such-flag"], /^Unknown option '--no-such-flag'[^]*Usage: gatewright manifests/u);
});

test("a policy that IAM would not take is not printed", async () => {
  const zones = Array.from({ length: 40 }, (_, index) => ["--zone", `Z0123456789ABCDEFG${index}`]).flat();
  const args = ["--only", "iam", "--cluster-name", "a", ...zones];
  await refused(args, /IAM takes 6144: print one for each part \(--parts hostnames, then --parts infra\)/u);
});
