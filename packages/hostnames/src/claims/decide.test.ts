import assert from "node:assert/strict";
import { test } from "node:test";
import { AwsCallError } from "@gatewright/aws";
import type { ChangeProgress, RecordSet } from "@gatewright/aws";
import type { Answers } from "./answers.ts";
import { NO_ANSWERS } from "./answers.ts";
import { certificateRequest } from "./certificate-request.ts";
import type { Memory } from "./claim.ts";
import { decide } from "./decide.ts";
import type { Decision } from "./decision.ts";
import type { CertificateSources, Observation } from "./observation.ts";
import { ALIAS, textOf } from "./testing/decision-text.ts";
import { aliasOf, ARN, certificateOf, claimOf, HOSTNAME, NOW, seeing } from "./testing/observations.ts";

const held: Memory = { claimedAt: "2030-01-01T00:00:00Z" };
const request = certificateRequest({
  cluster: "default",
  uid: "uid-1",
  names: [HOSTNAME],
  keyAlgorithm: "RSA_2048",
  attempt: 1,
  now: NOW,
});
const requested: Memory = { ...held, certificate: { request } };
const pending: Memory = { ...held, certificate: { arn: ARN, request } };
const nowhere: CertificateSources = {
  reusable: undefined,
  joinable: undefined,
  gathered: { names: [HOSTNAME], waitMs: 0 },
};
const zone = { id: "Z1", name: "example.com", private: false, nameServers: [] };
const answering = (more: Partial<Answers>): Answers => ({ ...NO_ANSWERS, ...more });
const error = new AwsCallError({
  kind: "terminal",
  code: "LimitExceededException",
  message: "no more certificates",
  service: "acm",
  operation: "RequestCertificate",
});
const proof: RecordSet = { name: `_proof.${HOSTNAME}`, type: "CNAME", ttl: 300, values: ["x.acm-validations.aws"] };
const validating: Memory = { ...pending, records: [{ ...proof, purpose: "validation" }] };
const changing = (record: RecordSet, progress: ChangeProgress): Answers => {
  const key = `${record.name} ${record.type} ${record.setIdentifier ?? ""}`;
  return answering({ changes: new Map([[key, { change: { action: "create", record }, progress, tries: 1 }]]) });
};
const alias: RecordSet = { name: HOSTNAME, type: "A", alias: aliasOf() };
const moved = aliasOf("gw-02.eu-west-1.elb.amazonaws.com");

const validated = { type: "DnsValidated", status: "True", reason: "", message: "", lastTransitionTime: "" } as const;
const single = claimOf({ certificate: { strategy: "Single" } }, { conditions: [validated] });
const shared = certificateOf({ names: [HOSTNAME, "other.example.com"] });
const replaced: Memory = { ...seeing().memory, certificate: { arn: ARN, request } };

/** What is seen, and what comes of it. */
const cases: readonly (readonly [what: string, seen: Partial<Observation>, comes: string])[] = [
  ["a new claim looks whether its name is free", { memory: {} }, "ask lookAround"],
  [
    "a claim whose request is gone gets nothing",
    { memory: {}, answers: answering({ around: { owner: "absent", rivals: [] } }) },
    "rest Claimed False OwnerMissing denied",
  ],
  [
    "a name that overlaps with a held one is denied",
    {
      memory: {},
      answers: answering({
        around: {
          owner: "present",
          rivals: [
            {
              ...claimOf({}, { conditions: [], claimedAt: "2030-01-01T00:00:00Z" }),
              spec: {
                ...claimOf().spec,
                hostname: "*.example.com",
                ownerRef: { namespace: "bank", name: "all", uid: "2" },
              },
            },
          ],
        },
      }),
    },
    "rest Claimed False OverlapsAnother denied",
  ],
  [
    "a free name is held",
    { memory: {}, answers: answering({ around: { owner: "present", rivals: [] } }) },
    "remember claimedAt",
  ],
  [
    "a certificate that the wish names is taken when it is issued and covers the name",
    { memory: held, claim: claimOf({ certificate: { arn: "arn:given" } }), given: certificateOf({ arn: "arn:given" }) },
    "remember certificate claimedAt",
  ],
  [
    "one that does not cover the name is not",
    {
      memory: held,
      claim: claimOf({ certificate: { arn: "arn:given" } }),
      given: certificateOf({ names: ["example.com"] }),
    },
    "rest CertificateRequested False CertificateUnusable",
  ],
  [
    "one that is not known yet is waited for",
    { memory: held, claim: claimOf({ certificate: { arn: "arn:given" } }), given: "unknown" },
    "rest CertificateRequested Unknown LookingForCertificate",
  ],
  [
    "nothing is requested while it is not known what is there",
    { memory: held, sources: { ...nowhere, reusable: "unknown" } },
    "rest CertificateRequested Unknown LookingForCertificate",
  ],
  [
    "a certificate that covers the name is taken",
    { memory: held, sources: { ...nowhere, reusable: certificateOf() } },
    "remember certificate claimedAt",
  ],
  [
    "a request that has the name in it is joined",
    { memory: held, sources: { ...nowhere, joinable: request } },
    "remember certificate claimedAt",
  ],
  ["the zone is read before anything is requested", { memory: held, sources: nowhere }, "ask readZone"],
  [
    "nothing is requested in a private zone",
    { memory: held, sources: nowhere, answers: answering({ zone: { ...zone, private: true } }) },
    "rest CertificateRequested False PrivateZone denied",
  ],
  [
    "names are gathered for a while",
    {
      memory: held,
      sources: { ...nowhere, gathered: { names: [HOSTNAME], waitMs: 500 } },
      answers: answering({ zone }),
    },
    "rest CertificateRequested False Gathering after 500",
  ],
  [
    "a request is remembered, alone in its zone, before it is made",
    { memory: held, sources: nowhere, answers: answering({ zone }) },
    "commit certificates of Z1: certificate claimedAt",
  ],
  [
    "names that are all too long for a certificate are told so",
    {
      memory: held,
      sources: { ...nowhere, gathered: { names: [`${"a".repeat(63)}.example.com`], waitMs: 0 } },
      answers: answering({ zone }),
    },
    "rest CertificateRequested False HostnameTooLong denied",
  ],
  [
    "a name that is too long waits for a shorter one to share with before it is told so",
    {
      memory: held,
      sources: { ...nowhere, gathered: { names: [`${"a".repeat(63)}.example.com`], waitMs: 500 } },
      answers: answering({ zone }),
    },
    "rest CertificateRequested False Gathering after 500",
  ],
  ["a remembered request is made", { memory: requested }, "ask requestCertificate"],
  [
    "a quota is told by AWS's own words",
    { memory: requested, answers: answering({ request: { state: "refused", error, token: request.token } }) },
    "rest CertificateRequested False CertificateRefused",
  ],
  [
    "the answer to a request is remembered",
    { memory: requested, answers: answering({ request: { state: "requested", arn: ARN, token: request.token } }) },
    "remember certificate claimedAt",
  ],
  [
    "an answer to an older request is none",
    { memory: requested, answers: answering({ request: { state: "requested", arn: ARN, token: "older" } }) },
    "ask requestCertificate",
  ],
  ["a lost certificate is obtained anew", { memory: pending, certificate: "absent", sources: nowhere }, "ask readZone"],
  [
    "a lost certificate that the wish names is only told of",
    {
      memory: { ...held, certificate: { arn: ARN, adopted: true } },
      claim: claimOf({ certificate: { arn: ARN } }),
      certificate: "absent",
    },
    "rest CertificateRequested False CertificateMissing",
  ],
  [
    "a failed certificate is asked for its request first",
    { memory: pending, certificate: certificateOf({ status: "FAILED" }), sources: nowhere },
    "ask requestCertificate",
  ],
  [
    "and is requested anew only after a pause",
    {
      memory: pending,
      certificate: certificateOf({ status: "FAILED" }),
      sources: nowhere,
      answers: answering({ request: { state: "requested", arn: ARN, token: request.token } }),
    },
    "rest CertificateIssued False CertificateFailed after 900000",
  ],
  [
    "and never more often than a few times",
    {
      memory: { ...held, certificate: { arn: ARN, request: { ...request, attempt: 6 } } },
      certificate: certificateOf({ status: "VALIDATION_TIMED_OUT" }),
      sources: nowhere,
      answers: answering({ request: { state: "requested", arn: ARN, token: request.token } }),
    },
    "rest CertificateIssued False CertificateFailed",
  ],
  [
    "a bundle with a lost name is given up",
    {
      memory: pending,
      certificate: certificateOf({ status: "PENDING_VALIDATION", names: [HOSTNAME, "gone.example.com"] }),
      lost: ["gone.example.com"],
      sources: nowhere,
    },
    "ask readZone",
  ],
  [
    "the validation record is waited for",
    { memory: pending, certificate: certificateOf({ status: "PENDING_VALIDATION", validations: [] }) },
    "rest DnsValidated False PendingValidationRecords",
  ],
  [
    "the validation record is remembered before it is made",
    { memory: pending, certificate: certificateOf({ status: "PENDING_VALIDATION" }) },
    "remember certificate claimedAt records",
  ],
  [
    "the validation record is made",
    { memory: validating, certificate: certificateOf({ status: "PENDING_VALIDATION" }), published: () => false },
    "ask changeRecord create",
  ],
  [
    "a certificate that was issued before the claim had proven its name is proven all the same: it is renewed by that",
    { memory: pending, certificate: certificateOf() },
    "remember certificate claimedAt records",
  ],
  [
    "and its validation record is made before the name is placed",
    { memory: validating, certificate: certificateOf(), published: () => false, place: { state: "goes", to: "gw-01" } },
    "ask changeRecord create",
  ],
  [
    "a validation record that Route 53 has not taken yet is waited for",
    {
      memory: validating,
      certificate: certificateOf(),
      published: () => false,
      place: { state: "goes", to: "gw-01" },
      answers: changing(proof, { state: "waiting" }),
    },
    "rest DnsValidated False PendingChange",
  ],
  [
    "what is issued goes on once the zone has the record: nobody waits until all name servers do",
    {
      memory: validating,
      certificate: certificateOf(),
      published: () => false,
      place: { state: "goes", to: "gw-01" },
      answers: changing(proof, { state: "pending", changeId: "C1" }),
    },
    "commit placement of shop.example.com: certificate claimedAt gateway records",
  ],
  [
    "another's record in its place is a conflict",
    {
      memory: validating,
      certificate: certificateOf({ status: "PENDING_VALIDATION" }),
      published: () => false,
      answers: changing(proof, {
        state: "refused",
        code: "InvalidChangeBatch",
        message: "it is there",
        found: [{ ...proof, values: ["other"] }],
      }),
    },
    "rest DnsValidated False RecordConflict",
  ],
  [
    "the same record with another ttl is as good",
    {
      memory: validating,
      certificate: certificateOf({ status: "PENDING_VALIDATION" }),
      published: () => false,
      answers: changing(proof, {
        state: "refused",
        code: "InvalidChangeBatch",
        message: "it is there",
        found: [{ ...proof, ttl: 3_600 }],
      }),
    },
    "rest CertificateIssued False PendingIssuance after 600000",
  ],
  [
    "ACM is given its time",
    { memory: validating, certificate: certificateOf({ status: "PENDING_VALIDATION" }) },
    "rest CertificateIssued False PendingIssuance after 600000",
  ],
  [
    "when it takes too long, the record that is missing is named",
    { memory: validating, certificate: certificateOf({ status: "PENDING_VALIDATION" }), now: NOW + 700_000 },
    "rest CertificateIssued False ValidationSlow",
  ],
  [
    "and public DNS is asked why, where it can be",
    {
      memory: validating,
      certificate: certificateOf({ status: "PENDING_VALIDATION" }),
      now: NOW + 700_000,
      canInspect: true,
    },
    "ask inspect",
  ],
  [
    "an issued certificate that replaces another takes over",
    {
      memory: validating,
      certificate: certificateOf({ status: "EXPIRED" }),
      coming: certificateOf({ arn: "arn:next" }),
      answers: answering({ request: { state: "requested", arn: "arn:next", token: request.token } }),
    },
    "remember certificate claimedAt records",
  ],
  [
    "an issued name is placed",
    { memory: { ...held, certificate: { arn: ARN } }, place: { state: "goes", to: "gw-01" }, gateway: undefined },
    `commit placement of ${HOSTNAME}: certificate claimedAt gateway`,
  ],
  [
    "a move keeps the old Gateway for a while",
    { place: { state: "goes", to: "gw-02" } },
    `commit placement of ${HOSTNAME}: certificate claimedAt gateway leaving loadBalancer records`,
  ],
  [
    "what no Gateway can be is told",
    { memory: { ...held, certificate: { arn: ARN } }, place: { state: "refused", message: "no such labels" } },
    "rest ListenerAttached False NoGatewayFits",
  ],
  ["the pool is waited for", { gateway: undefined }, "rest ListenerAttached False WaitingForGateway"],
  [
    "another load balancer is remembered before the alias moves",
    { memory: { ...seeing().memory, loadBalancer: { ...moved, dualStack: false } } },
    "remember certificate claimedAt gateway loadBalancer records",
  ],
  [
    "the alias is remembered before it is made",
    { memory: { ...seeing().memory, records: [] } },
    "remember certificate claimedAt gateway loadBalancer records",
  ],
  ["the alias is made", { published: () => false }, "ask changeRecord create"],
  [
    "an alias of ours that leads elsewhere is swapped",
    { memory: { ...seeing().memory, records: [{ ...alias, alias: moved, purpose: "alias" }, ALIAS] } },
    "ask changeRecord replace",
  ],
  [
    "the claim is not ready before the change is known everywhere",
    { published: () => false, answers: changing(alias, { state: "pending", changeId: "C1" }) },
    "rest DnsAliasReady False PendingChange serving",
  ],
  [
    "drift is put back",
    { drifted: new Map([[`${HOSTNAME} A `, undefined]]), published: () => false },
    "ask changeRecord create",
  ],
  [
    "drift is only told where it shall not be put back",
    {
      drifted: new Map([[`${HOSTNAME} A `, undefined]]),
      published: () => false,
      settings: { ...seeing().settings, drift: "report" },
    },
    "rest DnsAliasReady False RecordDrifted",
  ],
  [
    "when the alias has left a Gateway, the time of resolvers begins",
    {
      memory: {
        ...seeing().memory,
        leaving: [{ gateway: "gw-00", since: "2029-01-01T00:00:00Z", loadBalancer: { ...moved, dualStack: false } }],
      },
    },
    "remember certificate claimedAt gateway leaving loadBalancer records",
  ],
  [
    "a Gateway is left for good when that is over",
    { memory: { ...seeing().memory, leaving: [{ gateway: "gw-00", since: "2029-01-01T00:00:00Z" }] } },
    "remember certificate claimedAt gateway loadBalancer records",
  ],
  [
    "until then the claim serves and waits",
    { memory: { ...seeing().memory, leaving: [{ gateway: "gw-00", since: "2030-01-01T12:00:00Z" }] } },
    "rest Ready True Serving after 61000",
  ],
  ["what has all serves", {}, "rest Ready True Serving"],
  [
    "one whose certificate cannot be renewed serves on, and it is told by its reason",
    { certificate: certificateOf({ renewal: { status: "FAILED", reason: "CAA_ERROR", validations: [] } }) },
    "rest Ready True RenewalFails",
  ],
  [
    "a certificate of another kind than the strategy asks for by now is replaced: the next is remembered beside it",
    { claim: single, certificate: shared, sources: nowhere, answers: answering({ zone }) },
    "commit certificates of Z1: certificate claimedAt gateway loadBalancer records",
  ],
  [
    "so is one with another key",
    {
      claim: claimOf({ certificate: { keyAlgorithm: "EC_prime256v1" } }),
      certificate: certificateOf({ keyAlgorithm: "RSA_2048" }),
      sources: nowhere,
      answers: answering({ zone }),
    },
    "commit certificates of Z1: certificate claimedAt gateway loadBalancer records",
  ],
  [
    "one that covers the name is enough where certificates are reused",
    { claim: claimOf({ certificate: { strategy: "Reuse" } }), certificate: shared },
    "rest Ready True Serving",
  ],
  [
    "one that is only on its way does not take the place of one that serves",
    {
      claim: claimOf({ certificate: { strategy: "Wildcard" } }),
      sources: { ...nowhere, reusable: certificateOf({ status: "PENDING_VALIDATION", names: ["*.example.com"] }) },
    },
    "rest Ready True Serving",
  ],
  [
    "the next certificate is requested while the hostname is served",
    { claim: single, certificate: shared, memory: replaced },
    "ask requestCertificate",
  ],
  [
    "its record is published, whatever the conditions say of the one before",
    {
      claim: single,
      certificate: shared,
      memory: { ...replaced, records: [ALIAS, { ...proof, purpose: "validation" }] },
      coming: certificateOf({ arn: "arn:next", status: "PENDING_VALIDATION" }),
      answers: answering({ request: { state: "requested", arn: "arn:next", token: request.token } }),
    },
    "ask changeRecord create",
  ],
  [
    "and takes over when it is issued",
    {
      claim: single,
      certificate: shared,
      memory: replaced,
      coming: certificateOf({ arn: "arn:next" }),
      answers: answering({ request: { state: "requested", arn: "arn:next", token: request.token } }),
    },
    "remember certificate claimedAt gateway loadBalancer records",
  ],
  [
    "when it fails the hostname goes on to be served, and it is requested again after a pause",
    {
      claim: single,
      certificate: shared,
      memory: replaced,
      coming: certificateOf({ arn: "arn:next", status: "FAILED" }),
      answers: answering({ request: { state: "requested", arn: "arn:next", token: request.token } }),
    },
    "rest Ready True Serving after 900000",
  ],
];

for (const [what, seen, comes] of cases) {
  test(what, () => {
    assert.equal(textOf(decide(seeing(seen))), comes);
  });
}

test("a certificate of others that is reused is never taken for ours", () => {
  const foreign = certificateOf({ tags: new Map() });
  const decision: Decision = decide(seeing({ memory: held, sources: { ...nowhere, reusable: foreign } }));
  assert.deepEqual(decision.kind === "remember" && decision.memory.certificate, { arn: ARN, adopted: true });
});
