import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answers } from "./answers.ts";
import { NO_ANSWERS } from "./answers.ts";
import type { Memory, ReleaseStep } from "./claim.ts";
import { decideRelease } from "./decide-release.ts";
import type { Observation } from "./observation.ts";
import { ALIAS, textOf } from "./testing/decision-text.ts";
import { ARN, certificateOf, claimOf, NOW, seeing } from "./testing/observations.ts";

const answering = (more: Partial<Answers>): Answers => ({ ...NO_ANSWERS, ...more });
const proof = {
  name: "_proof.shop.example.com",
  type: "CNAME",
  ttl: 300,
  values: ["x.acm-validations.aws"],
  purpose: "validation",
} as const;
const at = (step: ReleaseStep, more: Partial<Memory> = {}): Memory => ({
  claimedAt: "2030-01-01T00:00:00Z",
  certificate: { arn: ARN },
  gateway: "gw-01",
  records: [proof, ALIAS],
  released: { at: "2030-01-01T12:00:00Z", step },
  ...more,
});
const all = "certificate claimedAt gateway records released";
const alone = { arn: ARN, others: [], named: false };
const described = { arn: ARN, certificate: certificateOf() };

const cases: readonly (readonly [what: string, seen: Partial<Observation>, comes: string])[] = [
  ["one of too many waits for a person's word", { held: true }, "rest Ready False DeletionHeld"],
  ["a claim for which nothing was made goes at once", { memory: {} }, "gone"],
  ["the release begins with the alias", {}, "remember certificate claimedAt gateway loadBalancer records released"],
  ["the alias is taken away", { memory: at("alias") }, "ask changeRecord delete"],
  [
    "an alias that somebody else has replaced is left alone",
    {
      memory: at("alias"),
      answers: answering({
        changes: new Map([
          [
            "shop.example.com A ",
            {
              change: { action: "delete", record: ALIAS },
              progress: { state: "refused", code: "", message: "", found: [] },
              tries: 1,
            },
          ],
        ]),
      }),
    },
    `remember ${all}`,
  ],
  ["then resolvers forget it", { memory: at("alias", { records: [proof] }) }, `remember ${all}`],
  ["which takes a minute", { memory: at("drain") }, "rest Ready False Deleting after 61000"],
  ["then the listener goes", { memory: at("drain"), now: NOW + 61_000 }, `remember ${all}`],
  ["which is waited for", { memory: at("listener"), listening: true }, "rest Ready False Deleting"],
  ["what is retained ends there", { memory: at("listener"), claim: claimOf({ deletionPolicy: "Retain" }) }, "gone"],
  ["then the certificate goes", { memory: at("listener") }, "remember certificate claimedAt records released"],
  ["unless another claim uses it, which is looked for", { memory: at("certificate") }, "ask findUsers"],
  [
    "in which case it stays",
    {
      memory: at("certificate"),
      answers: answering({ users: { arn: ARN, others: ["other.example.com"], named: false } }),
    },
    "remember claimedAt gateway records released",
  ],
  [
    "one that is not ours stays, whatever the status says",
    { memory: at("certificate"), certificate: certificateOf({ tags: new Map() }) },
    "remember claimedAt gateway records released",
  ],
  [
    "one of which it is not known whose it is is not touched",
    { memory: at("certificate"), certificate: "unknown" },
    "rest Ready False Deleting",
  ],
  [
    "one that a load balancer is still to get stays for now, whatever ACM says of its use",
    { memory: at("certificate"), answers: answering({ users: { ...alone, named: true }, described }) },
    "rest Ready False Deleting",
  ],
  [
    "it is asked which records it leaves behind",
    { memory: at("certificate"), answers: answering({ users: alone }) },
    "ask describeCertificate",
  ],
  [
    "which are remembered before it goes",
    { memory: at("certificate", { records: [] }), answers: answering({ users: alone, described }) },
    `remember ${all}`,
  ],
  [
    "and it is removed",
    { memory: at("certificate"), answers: answering({ users: alone, described }) },
    "ask removeCertificate",
  ],
  [
    "later, when it is in use still",
    {
      memory: at("certificate"),
      answers: answering({ users: alone, described, removal: { state: "inUse", arn: ARN } }),
    },
    "rest Ready False Deleting",
  ],
  [
    "a request that may have been made is asked for, so that its certificate can be removed",
    {
      memory: at("certificate", {
        certificate: {
          request: {
            names: ["shop.example.com"],
            token: "t",
            keyAlgorithm: "RSA_2048",
            attempt: 1,
            requestedAt: "2030-01-01T00:00:00Z",
          },
        },
      }),
      certificate: undefined,
      answers: answering({ users: { arn: "", others: [], named: false } }),
    },
    "ask requestCertificate",
  ],
  [
    "the validation record stays while it is not known who needs it",
    { memory: at("validation"), carrying: new Map([[proof.name, "unknown"]]) },
    "rest Ready False Deleting",
  ],
  [
    "or somebody does",
    { memory: at("validation"), carrying: new Map([[proof.name, [certificateOf()]]]) },
    `remember ${all}`,
  ],
  [
    "or another claim remembers it",
    { memory: at("validation"), carrying: new Map([[proof.name, []]]), neededByOthers: new Set([proof.name]) },
    `remember ${all}`,
  ],
  ["otherwise it goes", { memory: at("validation"), carrying: new Map([[proof.name, []]]) }, "ask changeRecord delete"],
  ["and nothing is left", { memory: at("validation", { records: [] }) }, "gone"],
];

for (const [what, seen, comes] of cases) {
  test(`undoing: ${what}`, () => {
    assert.equal(textOf(decideRelease(seeing(seen))), comes);
  });
}
