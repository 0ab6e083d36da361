import { createHash } from "node:crypto";
import { AwsCallError } from "@gatewright/aws";
import type { ec2 } from "@gatewright/aws";
import type { Json } from "@gatewright/kube";
import type { EC2Instance } from "@gatewright/resources";
import type { Change, Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import { AS_BEFORE } from "./fields.ts";
import { profileOf } from "./launch.ts";
import { METADATA_OPTIONS, REFUSED, START_AGAIN } from "./machine.ts";
import type { Machine } from "./machine.ts";
import { isCode } from "./read.ts";
import { isVolumeAs, KEEPING, VOLUMES, wishesOf } from "./volumes.ts";

const SOON_MS = 5_000;

type Attribute = Omit<ec2.ModifyInstanceAttributeRequest, "InstanceId">;

/** AWS takes one attribute with a call. */
const ATTRIBUTES: ReadonlyMap<string, (value: Json) => Attribute> = new Map<string, (value: Json) => Attribute>([
  ["securityGroupIDs", (value) => ({ Groups: Array.isArray(value) ? value.map(String) : [] })],
  ["sourceDestCheck", (value) => ({ SourceDestCheck: { Value: value === true } })],
  ["disableApiTermination", (value) => ({ DisableApiTermination: { Value: value === true } })],
  ["disableApiStop", (value) => ({ DisableApiStop: { Value: value === true } })],
  ["instanceInitiatedShutdownBehavior", (value) => ({ InstanceInitiatedShutdownBehavior: { Value: String(value) } })],
  [
    KEEPING,
    (value) => ({
      BlockDeviceMappings: wishesOf(value).map(({ device, deleteOnTermination }) => ({
        DeviceName: device,
        Ebs: { DeleteOnTermination: deleteOnTermination === true },
      })),
    }),
  ],
]);

/** Attributes that AWS takes while the instance is stopped, and only then. */
const WHILE_STOPPED: ReadonlyMap<string, (value: Json) => Attribute> = new Map<string, (value: Json) => Attribute>([
  ["instanceType", (value) => ({ InstanceType: { Value: String(value) } })],
  ["userData", (value) => ({ UserData: { Value: new TextEncoder().encode(String(value)) } })],
  ["ebsOptimized", (value) => ({ EbsOptimized: { Value: value === true } })],
]);

/** Writes what differs: first what can be at any time, then what needs a stop, then whether it runs. */
export async function changeMachine(
  ground: Ground,
  seen: Machine,
  change: Change<EC2Instance>,
): Promise<Obstacle | void> {
  const { aws, signal } = ground;
  const { fields } = change;
  const { id } = seen;
  for (const [path, attribute] of ATTRIBUTES) {
    const value = fields.get(path);
    if (value !== undefined) await aws.ec2.modifyInstanceAttribute({ InstanceId: id, ...attribute(value) }, { signal });
  }
  if (fields.has("instanceName")) {
    const Tags = [{ Key: "Name", Value: String(fields.get("instanceName")) }];
    await aws.ec2.createTags({ Resources: [id], Tags }, { signal });
  }
  if (fields.has("monitoring")) {
    const InstanceIds = [id];
    await (fields.get("monitoring") === true
      ? aws.ec2.monitorInstances({ InstanceIds }, { signal })
      : aws.ec2.unmonitorInstances({ InstanceIds }, { signal }));
  }
  const options = metadataIn(seen, change);
  if (options !== undefined) await aws.ec2.modifyInstanceMetadataOptions({ InstanceId: id, ...options }, { signal });
  if (fields.has("iamInstanceProfile")) await changeProfile(ground, id, fields.get("iamInstanceProfile"));
  const volumes = fields.has(VOLUMES) ? await changeVolumes(ground, seen, fields.get(VOLUMES)) : undefined;
  return (await changeStopped(ground, seen, change)) ?? volumes;
}

/**
 * What differs of the metadata service; undefined when nothing does. What else the spec says of it is said as it is there: not every
 * AWS keeps what a request leaves out, and where it is otherwise in the spec the difference is ignored or only reported.
 */
function metadataIn(
  { metadata }: Machine,
  { fields, wanted }: Change<EC2Instance>,
): ec2.InstanceMetadataOptionsRequest | undefined {
  const options = Object.entries(METADATA_OPTIONS).map(([name, wire]) => {
    const path = `metadataOptions.${name}`;
    const kept = wanted.has(path) ? metadata[name as keyof typeof METADATA_OPTIONS] : undefined;
    return { wire, differs: fields.has(path), value: fields.get(path) ?? kept };
  });
  if (!options.some(({ differs }) => differs)) return undefined;
  return Object.fromEntries(options.flatMap(({ wire, value }) => (value === undefined ? [] : [[wire, value]])));
}

async function changeProfile({ aws, signal }: Ground, id: string, profile: Json | undefined): Promise<void> {
  const { IamInstanceProfileAssociations: all = [] } = await aws.ec2.describeIamInstanceProfileAssociations(
    {
      Filters: [
        { Name: "instance-id", Values: [id] },
        { Name: "state", Values: ["associating", "associated"] },
      ],
    },
    { signal },
  );
  const AssociationId = all[0]?.AssociationId;
  if (typeof profile !== "string") {
    if (AssociationId !== undefined) await aws.ec2.disassociateIamInstanceProfile({ AssociationId }, { signal });
    return;
  }
  const IamInstanceProfile = profileOf(profile);
  await (AssociationId === undefined
    ? aws.ec2.associateIamInstanceProfile({ InstanceId: id, IamInstanceProfile }, { signal })
    : aws.ec2.replaceIamInstanceProfileAssociation({ AssociationId, IamInstanceProfile }, { signal }));
}

/** A volume takes another change when the last one is done, and hours after it began. */
async function changeVolumes(
  { aws, signal }: Ground,
  { disks }: Machine,
  want: Json | undefined,
): Promise<Obstacle | undefined> {
  const waiting: string[] = [];
  for (const wish of wishesOf(want)) {
    const disk = disks.find(({ device }) => device === wish.device);
    if (disk === undefined || isVolumeAs(wish, disk)) continue;
    const { size, type, iops, throughput } = wish;
    try {
      await aws.ec2.modifyVolume(
        {
          VolumeId: disk.volumeId,
          ...(typeof size === "number" && size > (disk.size ?? 0) && { Size: size }),
          ...(typeof type === "string" && { VolumeType: type }),
          ...(typeof iops === "number" && { Iops: iops }),
          ...(typeof throughput === "number" && { Throughput: throughput }),
        },
        { signal },
      );
    } catch (error) {
      if (!isCode(error, "IncorrectModificationState") && !isCode(error, "VolumeModificationRateExceeded")) throw error;
      waiting.push(`${disk.volumeId} (${disk.device})`);
    }
  }
  if (waiting.length === 0) return undefined;
  return {
    reason: "NotNow",
    message: `${waiting.join(", ")} cannot be changed yet: AWS takes one change of a volume in six hours, after the last one is done`,
  };
}

/** What needs a stop, and whether it runs. A tag remembers that it has to be started again, whatever happens in between. */
async function changeStopped(
  ground: Ground,
  seen: Machine,
  { fields, object: { spec } }: Change<EC2Instance>,
): Promise<Obstacle | undefined> {
  const { aws, signal } = ground;
  const { id, state, startAgain, refused } = seen;
  const pending = [...WHILE_STOPPED].flatMap(([path, attribute]): readonly Pending[] => {
    const value = fields.get(path);
    return value === undefined ? [] : [{ path, value, attribute: attribute(value) }];
  });
  // Only where it differs: what the spec says of it may be ignored, or only reported.
  const want = fields.get("state") ?? AS_BEFORE;
  const stopped = state === "stopped";
  if (pending.length > 0 && !stopped) {
    const paths = pending.map(({ path }) => path).join(", ");
    if (want !== "Stopped") {
      const again = pending.find((one) => refusedAs(id, one) === refused);
      if (again !== undefined) {
        return {
          reason: "StopNeeded",
          message: `AWS refused this ${again.path} when ${id} was stopped for it: say another one, or stop ${id} to have it tried again`,
        };
      }
      if (spec.allowStopForChanges !== true) {
        return {
          reason: "StopNeeded",
          message: `${paths} can only be changed while ${id} is stopped: set allowStopForChanges, or stop it`,
        };
      }
      await aws.ec2.createTags({ Resources: [id], Tags: [{ Key: START_AGAIN, Value: "true" }] }, { signal });
    }
    // Who allows it to be stopped means it; the field is found to differ while it is stopped, and set again before it starts.
    if (spec.disableApiStop === true) {
      await aws.ec2.modifyInstanceAttribute({ InstanceId: id, DisableApiStop: { Value: false } }, { signal });
    }
    await aws.ec2.stopInstances({ InstanceIds: [id] }, { signal });
    return { reason: "NotNow", message: `${id} is being stopped, to change ${paths}`, afterMs: SOON_MS };
  }
  const refusal = await writePending(ground, id, pending);
  const start = stopped && (want === "Running" || (want === AS_BEFORE && startAgain));
  const stop = want === "Stopped" && !stopped;
  if (start) await aws.ec2.startInstances({ InstanceIds: [id] }, { signal });
  if (stop) await aws.ec2.stopInstances({ InstanceIds: [id] }, { signal });
  const past = [startAgain && START_AGAIN, refused !== undefined && refusal === undefined && REFUSED];
  const Tags = past.flatMap((Key) => (Key === false ? [] : [{ Key }]));
  if (Tags.length > 0) await aws.ec2.deleteTags({ Resources: [id], Tags }, { signal });
  if (refusal !== undefined) throw refusal;
  if (!start && !stop) return undefined;
  // Looked at again soon, so that nobody is told that it is ready before it is.
  return { reason: "NotNow", message: `${id} is being ${start ? "started" : "stopped"}`, afterMs: SOON_MS };
}

/** A field that is written while the instance is stopped. */
interface Pending {
  readonly path: string;
  readonly value: Json;
  readonly attribute: Attribute;
}

/** Writes it. What AWS refuses is remembered by a tag, before the instance starts again, and given: it is not stopped for it again. */
async function writePending(
  { aws, signal }: Ground,
  id: string,
  pending: readonly Pending[],
): Promise<AwsCallError | undefined> {
  for (const one of pending) {
    try {
      await aws.ec2.modifyInstanceAttribute({ InstanceId: id, ...one.attribute }, { signal });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const Tags = [{ Key: REFUSED, Value: refusedAs(id, one) }];
      await aws.ec2.createTags({ Resources: [id], Tags }, { signal });
      return error;
    }
  }
  return undefined;
}

/** Whether AWS will not have it, however often it is asked. One that somebody started meanwhile is asked again. */
function isRefusal(error: unknown): error is AwsCallError {
  return (
    error instanceof AwsCallError &&
    error.kind === "terminal" &&
    error.didNothing &&
    error.code !== "IncorrectInstanceState"
  );
}

/** What a refused value is remembered by, which tells little of it. */
function refusedAs(id: string, { path, value }: Pending): string {
  return createHash("sha256")
    .update(JSON.stringify([id, path, value]))
    .digest("hex")
    .slice(0, 8);
}
