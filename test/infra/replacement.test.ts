import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DescribeInstancesCommand, EC2Client } from "@aws-sdk/client-ec2";
import { events } from "@gatewright/kube/api";
import { EC2Instance } from "@gatewright/resources";
import { createInfraWorld } from "./infra-world.ts";
import type { InfraWorld } from "./infra-world.ts";

const APPROVE = "aws-infra-operator.runner.codes/approve";
const [OLD, NEW] = ["ami-0a1b2c3d4e5f60001", "ami-0a1b2c3d4e5f60003"];
const spec = (imageID: string | undefined) => ({ instanceName: "box", instanceType: "t3.micro", imageID });

let world: InfraWorld;
before(async () => void (world = await createInfraWorld()));
after(() => world[Symbol.asyncDispose]());

/** Images of the machines that live, as AWS's own SDK sees them. */
async function images(): Promise<readonly (string | undefined)[]> {
  const ec2 = new EC2Client(world.sdk());
  const Filters = [{ Name: "instance-state-name", Values: ["pending", "running", "stopping", "stopped"] }];
  const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({ Filters }));
  ec2.destroy();
  return Reservations.flatMap(({ Instances = [] }) => Instances.map(({ ImageId }) => ImageId));
}

test("what cannot be changed is replaced once its very plan is approved, and not before", async () => {
  await world.put(EC2Instance, "box", spec(OLD));
  const made = await world.ready(EC2Instance, "box");
  await world.put(EC2Instance, "box", spec(NEW), { [APPROVE]: "anything" });
  const waiting = await world.reason(EC2Instance, "box", "ReplacementNeeded");
  await world.long(10 * 60_000);
  assert.deepEqual(await images(), [OLD]);
  assert.equal(waiting.status?.plan?.action, "Replace");
  assert.deepEqual(waiting.status?.plan?.changes, [{ field: "imageID", have: OLD, want: NEW }]);
  await world.put(EC2Instance, "box", spec(NEW), { [APPROVE]: waiting.status?.plan?.hash ?? "" });
  const replaced = await world.ready(EC2Instance, "box");
  assert.deepEqual(await images(), [NEW]);
  assert.notEqual(replaced.status?.resource?.id, made.status?.resource?.id);
  assert.equal(replaced.status?.replacements, 1);
  await world.long(10_000);
  const { items } = await world.user.for(events.Event).list({ namespace: "shop" });
  const told = items.filter(({ reason }) => reason === "Replacing").map(({ note }) => note);
  assert.deepEqual(told, [
    `AWS was asked to delete EC2Instance ${made.status?.resource?.id}, which is made anew as was approved.`,
  ]);
  // The word was for that plan: the next one asks again.
  await world.put(EC2Instance, "box", spec(OLD), { [APPROVE]: waiting.status?.plan?.hash ?? "" });
  await world.reason(EC2Instance, "box", "ReplacementNeeded");
  assert.deepEqual(await images(), [NEW]);
});

test("a change that is taken back needs no replacement", async () => {
  await world.put(EC2Instance, "box", spec(NEW));
  const object = await world.ready(EC2Instance, "box");
  assert.equal(object.status?.plan, undefined);
  assert.deepEqual(await images(), [NEW]);
  await world.remove(EC2Instance, "box");
  await world.gone(EC2Instance, "box");
  assert.deepEqual(await images(), []);
});
