import assert from "node:assert/strict";
import { test } from "node:test";
import { planFaults } from "@gatewright/local-aws";
import type { Call, PlannedFault } from "@gatewright/local-aws";
import { acmWorld, orderFor } from "./testing/acm-world.ts";
import type { AcmWorld, Process } from "./testing/acm-world.ts";

const is =
  (operation: string) =>
  (call: Call): boolean =>
    call.operation === operation;

async function requested(world: AcmWorld, { certificates }: Process, token: string): Promise<string> {
  const order = orderFor(token, [`${token}.example.com`]);
  assert.ok(await world.until(() => certificates.request(order).state === "requested"), token);
  const progress = certificates.request(order);
  assert.ok(progress.state === "requested");
  return progress.arn;
}

async function listed(world: AcmWorld): Promise<readonly string[]> {
  const arns: string[] = [];
  const Includes = { keyTypes: ["EC_prime256v1"] };
  for await (const { CertificateArn } of world.bystander.acm.allCertificates({ Includes }))
    arns.push(CertificateArn ?? "");
  return arns;
}

test("a request whose answers are all lost is known by its tag when ACM has long forgotten the token", async () => {
  const lost: PlannedFault = { when: is("RequestCertificate"), fault: { kind: "lose reply" } };
  let times = 0;
  const faults = planFaults([{ ...lost, when: (call) => is("RequestCertificate")(call) && times++ < 5 }]);
  const world = await acmWorld({ faults });
  const first = world.start();
  const order = orderFor("t", ["t.example.com"]);
  assert.ok(await world.until(() => first.certificates.request(order).state === "failed"));
  await first.stop();
  world.clock.advance(2 * 3_600_000);
  const second = world.start();
  const arn = await requested(world, second, "t");
  assert.deepEqual(await listed(world), [arn]);
  assert.equal(world.calls().get("RequestCertificate"), 5);
  await second.stop();
});

test("a quota is told with AWS's error, and asked again only after a while and when somebody still wants it", async () => {
  const refusal = { kind: "error", code: "LimitExceededException", message: "too many" } as const;
  const world = await acmWorld({ faults: planFaults([{ when: is("RequestCertificate"), fault: refusal, times: 2 }]) });
  const { certificates, told, stop } = world.start();
  const order = orderFor("t", ["t.example.com"], "claim/t");
  assert.ok(await world.until(() => certificates.request(order).state === "refused"));
  const progress = certificates.request(order);
  assert.ok(progress.state === "refused" && progress.error.code === "LimitExceededException");
  told.length = 0;
  await world.pass(400);
  assert.equal(world.calls().get("RequestCertificate"), 1, "nobody asked again");
  assert.deepEqual(told, [{ arn: "", owners: ["claim/t"] }], "its owner was told to ask again");
  assert.ok(await world.until(() => certificates.request(order).state === "requested", 1_200));
  assert.equal(world.calls().get("RequestCertificate"), 3);
  await stop();
});

test("what is in use is removed when it is free and somebody still asks", async () => {
  const busy = { kind: "error", code: "ResourceInUseException" } as const;
  const world = await acmWorld({ faults: planFaults([{ when: is("DeleteCertificate"), fault: busy, times: 3 }]) });
  const process = world.start();
  const { certificates, told } = process;
  const arn = await requested(world, process, "t");
  assert.ok(await world.until(() => certificates.remove(arn, "claim/t").state === "inUse"));
  told.length = 0;
  await world.pass(60);
  assert.equal(world.calls().get("DeleteCertificate"), 1);
  assert.ok(told.some((each) => each.arn === arn && each.owners.includes("claim/t")));
  assert.ok(await world.until(() => certificates.remove(arn, "claim/t").state === "gone"));
  assert.equal(world.calls().get("DeleteCertificate"), 4);
  await process.stop();
});

test("a certificate that somebody else deleted is absent, after a sweep and a describe", async () => {
  const world = await acmWorld();
  const process = world.start();
  const { certificates, told } = process;
  const [kept, gone] = [await requested(world, process, "kept"), await requested(world, process, "gone")];
  await world.pass(70);
  await world.bystander.acm.deleteCertificate({ CertificateArn: gone });
  told.length = 0;
  assert.ok(await world.until(() => certificates.get(gone) === "absent", 1_000));
  assert.ok(told.some(({ arn }) => arn === gone));
  assert.equal(typeof certificates.get(kept), "object");
  assert.deepEqual(certificates.covering("gone.example.com", "PENDING_VALIDATION"), []);
  assert.deepEqual(certificates.remove(gone, "x"), { state: "gone" });
  const never = "arn:aws:acm:eu-west-1:000000000000:certificate/00000000-0000-4000-8000-000000000000";
  assert.equal(certificates.get(never), "unknown");
  assert.ok(await world.until(() => certificates.get(never) === "absent", 120));
  await process.stop();
});

test("errors never make a certificate absent, and what was known stays", async () => {
  let down = false;
  const outage: PlannedFault = {
    when: () => down,
    fault: { kind: "error", code: "InternalFailure", status: 500 },
  };
  const world = await acmWorld({ faults: planFaults([outage]) });
  const process = world.start();
  const arn = await requested(world, process, "t");
  await world.pass(30);
  down = true;
  await world.pass(3_600);
  assert.equal(typeof process.certificates.get(arn), "object");
  assert.equal(process.certificates.carrying("t.example.com"), "unknown", "old knowledge is not proof");
  down = false;
  assert.ok(await world.until(() => process.certificates.carrying("t.example.com") !== "unknown", 600));
  assert.equal(process.warnings.filter((each) => each.startsWith("certificates could not be listed")).length, 1);
  await process.stop();
});

test("without rights for the tagging service, tags are read certificate by certificate, and the log says so once", async () => {
  const denied: PlannedFault = { when: is("GetResources"), fault: { kind: "deny" } };
  const world = await acmWorld({ faults: planFaults([denied]) });
  const first = world.start();
  const arn = await requested(world, first, "t");
  await first.stop();
  world.clock.advance(2 * 3_600_000);
  const second = world.start();
  assert.equal(await requested(world, second, "t"), arn);
  await world.pass(3_600);
  assert.equal(second.warnings.filter((each) => each.includes("tag")).length, 1);
  const own = second.certificates.own();
  assert.ok(own !== "unknown" && own[0]?.arn === arn);
  assert.equal(world.calls().get("ListTagsForCertificate"), 1);
  await second.stop();
});

test("without any rights to read tags it requests all the same, and does not claim to know its own", async () => {
  const denied = [is("GetResources"), is("ListTagsForCertificate")].map((when) => ({
    when,
    fault: { kind: "deny" } as const,
  }));
  const world = await acmWorld({ faults: planFaults(denied) });
  await world.bystander.acm.requestCertificate({
    DomainName: "other.example.com",
    KeyAlgorithm: "EC_prime256v1",
    IdempotencyToken: "o",
  });
  world.clock.advance(10_000);
  const process = world.start();
  await requested(world, process, "t");
  assert.equal(process.certificates.own(), "unknown");
  await process.stop();
});

test("a process that does not lead requests nothing, and goes on when it does", async () => {
  let leads = false;
  const gate = (): void => {
    if (!leads) throw new Error("not leading");
  };
  const world = await acmWorld({ gate });
  const process = world.start();
  const order = orderFor("t", ["t.example.com"]);
  process.certificates.request(order);
  await world.pass(60);
  assert.deepEqual(process.certificates.request(order), { state: "waiting" });
  assert.equal(world.calls().get("RequestCertificate"), undefined);
  leads = true;
  await requested(world, process, "t");
  await process.stop();
});

test("certificates of others are offered too, those of the cluster first", async () => {
  const world = await acmWorld();
  const other = {
    DomainName: "*.example.com",
    KeyAlgorithm: "EC_prime256v1",
    ValidationMethod: "DNS",
    IdempotencyToken: "o",
  };
  const { CertificateArn: others } = await world.bystander.acm.requestCertificate(other);
  const process = world.start();
  const arn = await requested(world, process, "t");
  const covering = (): readonly string[] => {
    const found = process.certificates.covering("t.example.com", "PENDING_VALIDATION");
    return found === "unknown" ? [] : found.map((each) => each.arn);
  };
  assert.ok(await world.until(() => covering().length === 2, 60));
  assert.deepEqual(covering(), [arn, others]);
  const tagsOf = (): ReadonlyMap<string, string> | undefined => {
    const certificate = process.certificates.get(others ?? "");
    return typeof certificate === "object" ? certificate.tags : undefined;
  };
  assert.ok(await world.until(() => tagsOf()?.size === 0, 60), "who asks for it learns its tags");
  await world.pass(3_600);
  assert.equal(tagsOf()?.size, 0);
  assert.equal(world.calls().get("ListTagsForCertificate"), 1);
  assert.ok(await world.until(() => process.certificates.carrying("example.com") !== "unknown", 60));
  const twins = process.certificates.carrying("example.com");
  assert.deepEqual(twins !== "unknown" && twins.map((each) => each.arn), [others]);
  await process.stop();
});

test("a certificate of another region needs the same record: it is told who carries a name, never what covers it", async () => {
  const world = await acmWorld();
  const other = { DomainName: "t.example.com", KeyAlgorithm: "EC_prime256v1", IdempotencyToken: "o" };
  const { CertificateArn: others } = await world.elsewhere.acm.requestCertificate(other);
  world.clock.advance(10_000);
  const { certificates, told, stop } = world.start();
  await world.pass(5);
  assert.equal(certificates.carrying("*.t.example.com", "claim/t"), "unknown");
  assert.ok(await world.until(() => told.some(({ arn, owners }) => arn === "" && owners.includes("claim/t")), 30));
  const carriers = certificates.carrying("*.t.example.com", "claim/t");
  assert.deepEqual(carriers !== "unknown" && carriers.map(({ arn }) => arn), [others]);
  assert.deepEqual(certificates.covering("t.example.com", "PENDING_VALIDATION"), []);
  const listings = world.calls().get("ListCertificates") ?? 0;
  await world.pass(600);
  assert.ok((world.calls().get("ListCertificates") ?? 0) <= listings + 1, "nobody asks: nothing is listed there");
  await stop();
});
