import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DescribeInstancesCommand,
  DescribeVolumesCommand,
  EC2Client,
  ModifyInstanceMetadataOptionsCommand,
  RunInstancesCommand,
} from "@aws-sdk/client-ec2";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import { EC2Instance } from "@gatewright/resources";
import { anyKind } from "../../engine/aws-kind.ts";
import type { Managed } from "../../engine/aws-kind.ts";
import { compare, wishOf } from "../../engine/compare.ts";
import { admissionOf } from "../testing/admission.ts";
import { settle } from "../testing/kind-life.ts";
import { givenOf } from "../testing/kind-stage.ts";
import { kindWorld } from "../testing/kind-world.ts";
import type { KindWorld } from "../testing/kind-world.ts";
import { ec2Instance } from "./index.ts";

const admission = admissionOf(EC2Instance);
const kind = anyKind(ec2Instance);
const MINUTE = 60_000;
const TERMINATED = { deletionPolicy: "Delete" };

/** A manifest as the original operator took it. */
const ORIGINAL = {
  providerRef: { name: "aws" },
  instanceName: "bastion",
  instanceType: "t3.micro",
  imageID: "ami-0a1b2c3d4e5f60001",
  userData: "#!/bin/sh\n",
  blockDeviceMappings: [{ deviceName: "/dev/sdf", ebs: { volumeSize: 10, deleteOnTermination: false } }],
  monitoring: true,
  disableApiTermination: false,
  tags: { team: "shop" },
  deletionPolicy: "Stop",
  enableConsoleOutput: true,
};

function objectOf(more: JsonObject = {}, status?: object): Immutable<EC2Instance> {
  const judged = admission.judge<object>({
    apiVersion: "aws-infra-operator.runner.codes/v1alpha1",
    kind: "EC2Instance",
    metadata: { name: "bastion", namespace: "shop", uid: "uid-1" },
    spec: { ...ORIGINAL, ...more },
  });
  if ("refused" in judged) throw new Error(judged.refused);
  return { ...(judged.admitted as EC2Instance), ...(status && { status }) };
}

async function world(
  run: (stage: KindWorld) => Promise<void>,
  pace: { readonly durations: number; readonly lag: boolean } = { durations: 0, lag: false },
  services: Parameters<typeof kindWorld>[0] = {},
): Promise<void> {
  const stage = await kindWorld({ listening: true, pace, ...services });
  try {
    await run(stage);
  } finally {
    await stage[Symbol.asyncDispose]();
  }
}

/** As the engine sees objects of any kind. */
const managed = (object: Immutable<EC2Instance>) => object as unknown as Immutable<Managed>;
const live = (stage: KindWorld, object: Immutable<EC2Instance>) => settle(stage, kind, managed(object), givenOf());
const look = async (stage: KindWorld) => {
  const told = await stage.passing(new EC2Client(stage.sdk()).send(new DescribeInstancesCommand()));
  return (told.Reservations ?? []).flatMap(({ Instances: all = [] }) => all);
};
/** AWS tells of it, and why it is no more. */
const assertEnded = async (stage: KindWorld, id: string) => {
  const seen = await stage.passing(ec2Instance.read(stage.ground, id, new Set()));
  assert.deepEqual(seen !== "absent" && ec2Instance.stateOf(seen), {
    is: "ended",
    message: "Client.UserInitiatedShutdown: User initiated shutdown",
  });
};
const seenBy = async (stage: KindWorld, id: string, object = objectOf()) => {
  const { declared } = wishOf(kind, managed(object), givenOf());
  const seen = await stage.passing(ec2Instance.read(stage.ground, id, new Set(declared)));
  return seen === "absent" ? assert.fail("absent") : seen;
};
const creationOf = (object: Immutable<EC2Instance>, token = "token") => ({
  object,
  given: givenOf(),
  wanted: wishOf(kind, managed(object), givenOf()).wanted,
  tags: { "gatewright.dev/uid": "uid-1" },
  token,
});
/** One step of what the engine would do about differences. */
const step = async (stage: KindWorld, id: string, object: Immutable<EC2Instance>, ignored: readonly string[] = []) => {
  const seen = await seenBy(stage, id, object);
  const { differences, wanted } = compare(kind, managed(object), givenOf(), seen, ignored);
  const fields = new Map<string, Json | undefined>(differences.map(({ path, want }) => [path, want]));
  const change = { object, given: givenOf(), fields, wanted };
  return stage.passing(ec2Instance.change(stage.ground, seen, change));
};

test("a manifest of the original launches one instance, and its status tells what others need", () =>
  world(async (stage) => {
    const { id, seen } = await live(stage, objectOf());
    const [told, ...more] = await look(stage);
    assert.deepEqual(more, []);
    assert.equal(told?.InstanceId, id);
    assert.equal(told?.Tags?.find(({ Key: key }) => key === "Name")?.Value, "bastion");
    const status = kind.statusOf(seen, stage.ground) as Record<string, unknown>;
    assert.equal(status["instanceState"], "running");
    assert.equal(status["privateIP"], told?.PrivateIpAddress);
    assert.match(String(status["consoleOutput"]), /was started/);
    assert.deepEqual(status["survivingVolumes"], [
      told?.BlockDeviceMappings?.find(({ DeviceName: device }) => device === "/dev/sdf")?.Ebs?.VolumeId,
    ]);
    assert.equal(kind.outputsOf(seen, stage.ground)["arn"], `arn:aws:ec2:eu-west-1:000000000000:instance/${id}`);
  }));

test("a console that is not wanted is not asked for, and what is said of addresses counts also when it is no", () => {
  const { wanted } = wishOf(
    kind,
    managed(objectOf({ enableConsoleOutput: false, associatePublicIpAddress: false })),
    givenOf(),
  );
  assert.equal(wanted.has("enableConsoleOutput"), false);
  assert.equal(wanted.get("associatePublicIpAddress"), false);
});

test("a volume's key that is named by an alias is the key that the alias led to", () =>
  world(async (stage) => {
    const ebs = { volumeSize: 10, encrypted: true, kmsKeyID: "alias/disks" };
    await live(stage, objectOf({ blockDeviceMappings: [{ deviceName: "/dev/sdf", ebs }] }));
    const { Volumes: all = [] } = await stage.passing(new EC2Client(stage.sdk()).send(new DescribeVolumesCommand()));
    assert.ok(all.some(({ KmsKeyId: key = "" }) => /:key\/[0-9a-f-]{36}$/.test(key)));
  }));

test("the metadata service does not tell tags, whatever the account's default: AWS refuses ours otherwise", () =>
  world(
    async (stage) => {
      const tags = { "shop/team of": "ours" };
      const { id } = await live(stage, objectOf({ tags, metadataOptions: { httpTokens: "required" } }));
      assert.equal((await look(stage))[0]?.MetadataOptions?.InstanceMetadataTags, "disabled");
      const telling = new ModifyInstanceMetadataOptionsCommand({ InstanceId: id, InstanceMetadataTags: "enabled" });
      await assert.rejects(stage.passing(new EC2Client(stage.sdk()).send(telling)), /is not a valid tag key/);
    },
    undefined,
    { services: { ec2: { metadataTags: "enabled" } } },
  ));

test("an instance of somebody else that tells its tags is taken over when the spec says that it does not", () =>
  world(async (stage) => {
    const ec2 = () => new EC2Client(stage.sdk());
    const launch = new RunInstancesCommand({
      MinCount: 1,
      MaxCount: 1,
      ImageId: ORIGINAL.imageID,
      InstanceType: "t3.micro",
      MetadataOptions: { InstanceMetadataTags: "enabled" },
    });
    const { Instances: [made] = [] } = await stage.passing(ec2().send(launch));
    const id = made?.InstanceId ?? "";
    const owned = { set: { "gatewright.dev/uid": "uid-1" }, remove: [] };
    const tag = async () => ec2Instance.tag(stage.ground, await seenBy(stage, id), owned);
    await assert.rejects(stage.passing(tag()), /'gatewright.dev\/uid' is not a valid tag key/);
    await step(stage, id, objectOf({ metadataOptions: { instanceMetadataTags: "disabled" } }));
    await stage.passing(tag());
    assert.equal((await seenBy(stage, id)).tags["gatewright.dev/uid"], "uid-1");
  }));

test("a launch that is tried again is one instance, also when the spec changed in between", () =>
  world(async (stage) => {
    const first = await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf())));
    assert.equal(await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf()))), first);
    const other = creationOf(objectOf({ instanceType: "t3.small" }));
    assert.equal(await stage.passing(ec2Instance.create(stage.ground, other)), first);
    assert.equal((await look(stage)).length, 1);
    const found = ec2Instance.findTagged?.(stage.ground, "gatewright.dev/uid", "uid-1") ?? [];
    assert.deepEqual(await stage.passing(Promise.resolve(found)), [first]);
  }));

test("a token whose instance was terminated gives way to the next, of which there is one", () =>
  world(async (stage) => {
    const first = await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf())));
    await stage.passing(ec2Instance.remove(stage.ground, await seenBy(stage, first), objectOf()));
    await assertEnded(stage, first);
    const second = await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf())));
    assert.notEqual(second, first);
    assert.equal(await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf()))), second);
    const found = Promise.resolve(ec2Instance.findTagged?.(stage.ground, "gatewright.dev/uid", "uid-1") ?? []);
    assert.deepEqual(await stage.passing(found), [second]);
  }));

test("AWS may not know of a launch for a while, and then it does", () =>
  world(
    async (stage) => {
      const id = await stage.passing(ec2Instance.create(stage.ground, creationOf(objectOf())));
      assert.equal(await stage.passing(ec2Instance.read(stage.ground, id, new Set())), "absent");
      await stage.pass(ec2Instance.lagMs ?? 0);
      assert.equal((await seenBy(stage, id)).id, id);
    },
    { durations: 1, lag: true },
  ));

test("what needs a stop waits until the spec allows it, and the rest is written at once", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf());
    const wish = { instanceType: "t3.small", monitoring: false };
    const obstacle = await step(stage, id, objectOf(wish));
    assert.equal(typeof obstacle === "object" && obstacle.reason, "StopNeeded");
    assert.equal((await look(stage))[0]?.Monitoring?.State, "disabled");
    assert.equal((await look(stage))[0]?.State?.Name, "running");
    const allowed = objectOf({ ...wish, allowStopForChanges: true });
    await step(stage, id, allowed);
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
    assert.equal((await seenBy(stage, id)).tags["gatewright.dev/start-again"], undefined);
    await step(stage, id, allowed);
    const [told] = await look(stage);
    assert.deepEqual([told?.State?.Name, told?.InstanceType], ["running", "t3.small"]);
    assert.equal(
      told?.Tags?.some(({ Key: key }) => key === "gatewright.dev/start-again"),
      false,
    );
  }));

test("an instance that was stopped for a change is started again although the change is not wanted any more", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf());
    await step(stage, id, objectOf({ instanceType: "t3.small", allowStopForChanges: true }));
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
    await step(stage, id, objectOf());
    const [told] = await look(stage);
    assert.deepEqual([told?.State?.Name, told?.InstanceType], ["running", "t3.micro"]);
  }));

test("a type that AWS refuses does not leave it stopped, and it is not stopped for it again", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf());
    const arm = objectOf({ instanceType: "t4g.micro", allowStopForChanges: true });
    const stateNow = async () => (await look(stage))[0]?.State?.Name;
    await step(stage, id, arm);
    assert.equal(await stateNow(), "stopped");
    await assert.rejects(step(stage, id, arm), /architecture/);
    assert.equal(await stateNow(), "running");
    const obstacle = await step(stage, id, arm);
    assert.ok(typeof obstacle === "object");
    assert.deepEqual([obstacle.reason, /AWS refused this instanceType/.test(obstacle.message)], ["StopNeeded", true]);
    assert.equal(await stateNow(), "running");
    assert.deepEqual(
      Object.keys((await seenBy(stage, id)).tags).filter((key) => key.includes("refused")),
      [],
    );
    // Another one is tried, and what was refused is forgotten with it.
    const small = objectOf({ instanceType: "t3.small", allowStopForChanges: true });
    await step(stage, id, small);
    await step(stage, id, small);
    assert.deepEqual([await stateNow(), (await look(stage))[0]?.InstanceType], ["running", "t3.small"]);
    assert.equal((await seenBy(stage, id)).refused, undefined);
  }));

test("what AWS refused is tried again while it is stopped anyway, and it is not started for that", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf({ state: "Stopped" }));
    const arm = objectOf({ instanceType: "t4g.micro", allowStopForChanges: true });
    for (const _ of [1, 2]) await assert.rejects(step(stage, id, arm), /architecture/);
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
  }));

test("whether it runs is left as it is where the spec's word is ignored", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf());
    const wish = { state: "Stopped", instanceType: "t3.small" };
    const stateNow = async () => (await look(stage))[0]?.State?.Name;
    // Without consent it is not stopped.
    const obstacle = await step(stage, id, objectOf(wish), ["state"]);
    assert.equal(typeof obstacle === "object" && obstacle.reason, "StopNeeded");
    assert.equal(await stateNow(), "running");
    const allowed = objectOf({ ...wish, allowStopForChanges: true });
    await step(stage, id, allowed, ["state"]);
    assert.equal(await stateNow(), "stopped");
    await step(stage, id, allowed, ["state"]);
    assert.deepEqual([await stateNow(), (await look(stage))[0]?.InstanceType], ["running", "t3.small"]);
    // Also when the change is taken back in between.
    await step(stage, id, objectOf({ ...wish, instanceType: "t3.medium", allowStopForChanges: true }), ["state"]);
    assert.equal(await stateNow(), "stopped");
    await step(stage, id, allowed, ["state"]);
    assert.equal(await stateNow(), "running");
    // One that others stopped stays stopped.
    await step(stage, id, objectOf({ instanceType: "t3.small", state: "Stopped" }));
    const running = objectOf({ instanceType: "t3.micro", state: "Running", allowStopForChanges: true });
    await step(stage, id, running, ["state"]);
    assert.deepEqual([await stateNow(), (await look(stage))[0]?.InstanceType], ["stopped", "t3.micro"]);
  }));

test("of the metadata service only what differs and is not ignored is written", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf({ metadataOptions: { httpTokens: "required" } }));
    const metadataOptions = { httpTokens: "optional", httpPutResponseHopLimit: 3 };
    await step(stage, id, objectOf({ metadataOptions }), ["metadataOptions.httpTokens"]);
    const told = (await look(stage))[0]?.MetadataOptions;
    assert.deepEqual([told?.HttpTokens, told?.HttpPutResponseHopLimit], ["required", 3]);
  }));

test("one that others stopped is left alone unless the spec says how it is", () =>
  world(async (stage) => {
    const { id, object } = await live(stage, objectOf({ state: "Stopped" }));
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
    const undeclared = await live(stage, objectOf({}, object.status));
    assert.equal(undeclared.writes, 0);
    // While it is stopped, what needs a stop needs no consent.
    await live(stage, objectOf({ instanceType: "t3.small" }, object.status));
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
    await live(stage, objectOf({ instanceType: "t3.small", state: "Running" }, object.status));
    assert.equal((await look(stage))[0]?.State?.Name, "running");
    assert.ok(id);
  }));

test("volumes grow, and another change of one waits", () =>
  world(
    async (stage) => {
      const { id } = await live(stage, objectOf());
      const sized = (volumeSize: number) =>
        objectOf({ blockDeviceMappings: [{ deviceName: "/dev/sdf", ebs: { volumeSize } }] });
      await step(stage, id, sized(20));
      const seen = await seenBy(stage, id, sized(20));
      assert.deepEqual(compare(kind, managed(sized(20)), givenOf(), seen, []).differences, []);
      const obstacle = await step(stage, id, sized(40));
      assert.equal(typeof obstacle === "object" && obstacle.reason, "NotNow");
    },
    { durations: 1, lag: false },
  ));

test("termination protection is respected unless the spec turns it off, and volumes that stay do stay", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf({ disableApiTermination: true }));
    const seen = await seenBy(stage, id);
    const kept = await stage.passing(ec2Instance.remove(stage.ground, seen, objectOf({ disableApiTermination: true })));
    assert.equal(kept?.reason, "DeletionProtected");
    assert.equal(await stage.passing(ec2Instance.remove(stage.ground, seen, objectOf())), undefined);
    await assertEnded(stage, id);
    const { Volumes: volumes = [] } = await stage.passing(
      new EC2Client(stage.sdk()).send(new DescribeVolumesCommand()),
    );
    assert.deepEqual(
      volumes.map(({ Size: size }) => size),
      [10],
    );
  }));

test("protection against a stop also keeps it from being terminated, unless the spec turns it off", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf({ disableApiStop: true, disableApiTermination: true, ...TERMINATED }));
    const seen = await seenBy(stage, id);
    const remove = (more: JsonObject) =>
      stage.passing(ec2Instance.remove(stage.ground, seen, objectOf({ ...TERMINATED, ...more })));
    const kept = await remove({ disableApiStop: true });
    assert.equal(kept?.reason, "DeletionProtected");
    assert.match(kept.message, /set disableApiStop: false to/);
    assert.match(
      (await remove({ disableApiTermination: true }))?.message ?? "",
      /Termination: false and disableApiStop: false/,
    );
    assert.equal(await remove({ disableApiStop: false }), undefined);
    await assertEnded(stage, id);
  }));

test("the policy Stop turns off a protection against it that the spec says is off", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf({ disableApiStop: true, ...TERMINATED }));
    const retire = async (more: JsonObject) =>
      ec2Instance.retire?.(stage.ground, await seenBy(stage, id), objectOf(more));
    await assert.rejects(stage.passing(retire({})), /disableApiStop/);
    assert.equal(await stage.passing(retire({ disableApiStop: false })), false);
    assert.equal((await look(stage))[0]?.State?.Name, "stopped");
  }));

test("why it goes is told while it does", () =>
  world(
    async (stage) => {
      const { id } = await live(stage, objectOf());
      await stage.passing(ec2Instance.remove(stage.ground, await seenBy(stage, id), objectOf()));
      const state = ec2Instance.stateOf(await seenBy(stage, id));
      assert.equal(state.is, "going");
      assert.match(state.message, /is shutting down \(Client\.UserInitiatedShutdown/);
    },
    { durations: 1, lag: false },
  ));

test("the policy Stop stops it, and is done when it is stopped", () =>
  world(
    async (stage) => {
      const { id } = await live(stage, objectOf());
      const retire = async () => ec2Instance.retire?.(stage.ground, await seenBy(stage, id), objectOf());
      assert.equal(await stage.passing(retire()), false);
      assert.equal(await stage.passing(retire()), false);
      await stage.pass(2 * MINUTE);
      assert.equal(await stage.passing(retire()), true);
      assert.equal((await look(stage))[0]?.State?.Name, "stopped");
    },
    { durations: 1, lag: false },
  ));

test("many are read at once, with what each declares, though AWS does not know one of them", () =>
  world(async (stage) => {
    const { id } = await live(stage, objectOf());
    const declared = new Set(wishOf(kind, managed(objectOf()), givenOf()).declared);
    const ids = [id, "i-0123456789abcdef0"];
    const read = Promise.resolve(ec2Instance.readMany?.(stage.ground, ids, new Map([[id, declared]])));
    const found = (await stage.passing(read)) ?? new Map();
    assert.deepEqual([...found.keys()], [id]);
    assert.deepEqual(found.get(id), await seenBy(stage, id));
  }));

test("what AWS would refuse is refused at admission", () => {
  const disk = (ebs: JsonObject): JsonObject => ({ blockDeviceMappings: [{ deviceName: "/dev/sdf", ebs }] });
  const refused: readonly (readonly [JsonObject, RegExp])[] = [
    [{ imageID: "image" }, /imageID/],
    [{ instanceType: "large" }, /instanceType/],
    [{ securityGroupIDs: [] }, /leave securityGroupIDs out/],
    [{ privateIpAddress: "here" }, /privateIpAddress/],
    [disk({ volumeSize: 10, volumeType: "io1" }), /need iops/],
    [disk({ volumeSize: 10, volumeType: "gp2", iops: 3000 }), /iops are for/],
    [disk({ volumeSize: 10, volumeType: "st1" }), /too small/],
    [disk({ volumeSize: 10, kmsKeyID: "key" }), /encrypted/],
    [{ metadataOptions: { instanceMetadataTags: "enabled" } }, /slash/],
    [{ state: "Stopped", disableApiStop: true }, /refuses to stop/],
    [{ deletionPolicy: "Snapshot" }, /deletionPolicy/],
  ];
  for (const [more, why] of refused) assert.throws(() => objectOf(more), why, JSON.stringify(more));
  for (const policy of ["Delete", "Retain", "Orphan", "Stop"]) objectOf({ deletionPolicy: policy });
  const smaller = admission.judge<object>(objectOf(disk({ volumeSize: 5 })), objectOf());
  assert.match(JSON.stringify(smaller), /cannot shrink/);
});
