import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { startLocalCloud } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { motoPart } from "../../../testbed/index.ts";
import { openAwsSession } from "../../local-aws/tours/aws-session.ts";
import type { Answer } from "../../local-aws/tours/aws-session.ts";
import { acmTour, elbTour, route53Tour } from "../../local-aws/tours/hosts.ts";
import { ec2Tour } from "../../local-aws/tours/machines.ts";
import { sqsTour, stsTour } from "../../local-aws/tours/messaging.ts";
import type { Tour } from "../../local-aws/tours/messaging.ts";
import { ecrTour, iamTour, secretsTour } from "../../local-aws/tours/secrets-roles-images.ts";
import { rdsTour, s3Tour, taggingTour } from "../../local-aws/tours/storage.ts";
import { dynamodbTour, snsTour } from "../../local-aws/tours/tables-and-topics.ts";
import { fetchAwsClients } from "../../tools/aws-clients.ts";
import { suite } from "../../tools/suite.ts";
import { realPart } from "../part.ts";
import { differences } from "./compare-answers.ts";
import { KNOWN } from "./known.ts";

const TOURS: Readonly<Record<string, Tour>> = {
  sts: stsTour,
  sqs: sqsTour,
  route53: route53Tour,
  acm: acmTour,
  s3: s3Tour,
  tagging: taggingTour,
  elb: elbTour,
  rds: rdsTour,
  ec2: ec2Tour,
  secrets: secretsTour,
  iam: iamTour,
  ecr: ecrTour,
  dynamodb: dynamodbTour,
  sns: snsTour,
};

const clients = fetchAwsClients();
const moto = await realPart(motoPart);
const missing = "missing" in clients ? clients.missing : "missing" in moto ? moto.missing : false;

/** Two clouds by different hands, one tour by a client of a third: where the answers differ, somebody has looked. */
suite("the local AWS beside moto", missing, () => {
  if ("missing" in clients || "missing" in moto) return;
  after(() => moto[Symbol.asyncDispose]());

  async function seenAt(url: string, tour: Tour): Promise<Record<string, Answer>> {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-tour-"));
    try {
      await using session = openAwsSession(clients as Exclude<typeof clients, { missing: string }>, url);
      return await tour(session.aws, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  const used = new Set<RegExp>();
  for (const [name, tour] of Object.entries(TOURS)) {
    test(`${name}: the answers are the same, but for what is known`, async () => {
      await using cloud = await startLocalCloud({
        clock: systemClock,
        random: systemRandom,
        pace: { durations: 0, lag: false },
        limits: "off",
        api: { port: 0 },
        dns: { port: 0 },
        onFault: (error, where) => console.error(where, error),
      });
      const [ours, theirs] = [await seenAt(cloud.url, tour), await seenAt(moto.facts["AWS_ENDPOINT_URL"] ?? "", tour)];
      const unknown = differences(name, ours, theirs).filter(({ at }) => {
        const known = KNOWN.filter((each) => each.at.test(at));
        for (const each of known) used.add(each.at);
        return known.length === 0;
      });
      assert.deepEqual(unknown, []);
    });
  }

  test("every known difference is still there", () => {
    assert.deepEqual(
      KNOWN.filter(({ at, sometimes }) => !used.has(at) && sometimes !== true),
      [],
    );
  });
});
