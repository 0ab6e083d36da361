import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { after, test } from "node:test";
import { ALL_KINDS } from "../../../packages/infra/src/kinds/index.ts";
import { kindsTried, tryLawsOn } from "../../../packages/infra/src/kinds/testing/other-aws.ts";
import { motoPart } from "../../../testbed/index.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";
import { MOTO_GAPS, MOTO_NORMAL } from "./known.ts";
import { ACCOUNT, motoStage } from "./moto-stage.ts";

/** Where laws are: each file registers its own. */
const LAWS = ["packages/infra/src/kinds/*/fields.test.ts", "test/infra/kinds/{s3-bucket,sqs-queue}.test.ts"];

process.env["MOTO_ACCOUNT_ID"] = ACCOUNT;
const moto = await realPart(motoPart);
if (!("missing" in moto)) {
  const endpoint = moto.facts["AWS_ENDPOINT_URL"] ?? "";
  after(() => moto[Symbol.asyncDispose]());
  tryLawsOn({ open: () => motoStage(endpoint), gaps: MOTO_GAPS, normal: MOTO_NORMAL });
  const root = new URL("../../../", import.meta.url);
  for (const file of LAWS.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()) {
    await import(new URL(file, root).href);
  }
}

suite("laws of kinds on another's AWS", "missing" in moto ? moto.missing : false, () => {
  test("every kind has its law", () => {
    const kinds = ALL_KINDS.map(({ resource }) => resource.kind);
    assert.deepEqual(
      kinds.filter((kind) => !kindsTried().has(kind)),
      [],
    );
  });
});
