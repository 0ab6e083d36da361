import { AwsCallError, byNextToken, everyPage } from "@gatewright/aws";
import type { ec2 } from "@gatewright/aws";
import type { Ground } from "../../engine/session.ts";
import { machineOf, TERMINATED } from "./machine.ts";
import type { Attributes, Disk, Machine } from "./machine.ts";
import { ENCRYPTION, VOLUMES } from "./volumes.ts";

/** How many values a filter takes, with room to spare. */
const MOST_VALUES = 100;
const CONSOLE_LINES = 100;
const CONSOLE_CHARACTERS = 16_384;
const LIVING = ["pending", "running", "stopping", "stopped"];

/** Reads one. Of a terminated instance, which AWS tells of for an hour, there is no more to read. */
export async function readMachine(
  ground: Ground,
  id: string,
  declared: ReadonlySet<string>,
): Promise<Machine | "absent"> {
  const told = await describe(ground, id);
  if (told === "absent" || told.state === TERMINATED) return told;
  const [machine] = await withVolumes(ground, [told], new Map([[id, declared]]));
  return withAttributes(ground, machine ?? told, declared);
}

/**
 * Reads many. They are asked for by a filter, since one id that AWS does not know would fail a call that names it; who is missing in
 * the answer is asked for alone, since a filter that finds nothing proves nothing.
 */
export async function readMachines(
  ground: Ground,
  ids: readonly string[],
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, Machine>> {
  const found = new Map<string, Machine>();
  for (const batch of batches(ids)) {
    for await (const told of instances(ground, [{ Name: "instance-id", Values: [...batch] }])) {
      found.set(told.InstanceId ?? "", machineOf(told));
    }
  }
  for (const id of ids) {
    const told = found.has(id) ? undefined : await describe(ground, id);
    if (told !== undefined && told !== "absent") found.set(id, told);
  }
  const living = [...found.values()].filter(({ state }) => state !== TERMINATED);
  const whole = new Map(found);
  for (const machine of await withVolumes(ground, living, declared)) {
    whole.set(machine.id, await withAttributes(ground, machine, declared.get(machine.id) ?? new Set()));
  }
  return whole;
}

/** Ids of instances that live and have this tag. */
export async function findMachines(ground: Ground, key: string, value: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const filters = [
    { Name: `tag:${key}`, Values: [value] },
    { Name: "instance-state-name", Values: LIVING },
  ];
  for await (const { InstanceId: id } of instances(ground, filters)) if (id !== undefined) ids.push(id);
  return ids;
}

/** All instances that pass the filters. */
export async function* instances(
  { aws, signal }: Ground,
  filters: readonly ec2.Filter[],
): AsyncGenerator<ec2.Instance, void, undefined> {
  const listing = byNextToken(aws.ec2.describeInstances);
  for await (const page of everyPage(listing, { Filters: [...filters] }, { signal })) {
    for (const { Instances: some = [] } of page.Reservations ?? []) yield* some;
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof AwsCallError && error.code === code;
}

async function describe({ aws, signal }: Ground, id: string): Promise<Machine | "absent"> {
  try {
    const { Reservations: all = [] } = await aws.ec2.describeInstances({ InstanceIds: [id] }, { signal });
    const told = all.flatMap(({ Instances: some = [] }) => some)[0];
    // An answer without an instance is no answer of AWS's; it is not taken for absence.
    if (told === undefined) throw new Error(`EC2 told nothing of ${id}`);
    return machineOf(told);
  } catch (error) {
    if (isCode(error, "InvalidInstanceID.NotFound")) return "absent";
    throw error;
  }
}

/** With what only the volumes tell, where it is declared. What is being changed counts as changed. */
async function withVolumes(
  { aws, signal }: Ground,
  machines: readonly Machine[],
  declared: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<readonly Machine[]> {
  const needed = machines
    .filter(({ id }) => [VOLUMES, ENCRYPTION].some((path) => declared.get(id)?.has(path) === true))
    .flatMap(({ disks }) => disks.map(({ volumeId }) => volumeId));
  if (needed.length === 0) return machines;
  const volumes = new Map<string, ec2.Volume>();
  const changes = new Map<string, ec2.VolumeModification>();
  for (const batch of batches(needed)) {
    const Filters = [{ Name: "volume-id", Values: [...batch] }];
    for await (const page of everyPage(byNextToken(aws.ec2.describeVolumes), { Filters }, { signal })) {
      for (const volume of page.Volumes ?? []) volumes.set(volume.VolumeId ?? "", volume);
    }
    const modifying = { Filters: [...Filters, { Name: "modification-state", Values: ["modifying"] }] };
    for await (const page of everyPage(byNextToken(aws.ec2.describeVolumesModifications), modifying, { signal })) {
      for (const change of page.VolumesModifications ?? []) changes.set(change.VolumeId ?? "", change);
    }
  }
  return machines.map((machine) => ({
    ...machine,
    disks: machine.disks.map((disk) => diskOf(disk, volumes.get(disk.volumeId), changes.get(disk.volumeId))),
  }));
}

function diskOf(disk: Disk, volume: ec2.Volume | undefined, change: ec2.VolumeModification | undefined): Disk {
  return volume === undefined
    ? disk
    : {
        ...disk,
        size: change?.TargetSize ?? volume.Size,
        type: change?.TargetVolumeType ?? volume.VolumeType,
        iops: change?.TargetIops ?? volume.Iops,
        throughput: change?.TargetThroughput ?? volume.Throughput,
        encrypted: volume.Encrypted,
        key: volume.KmsKeyId,
      };
}

async function withAttributes(
  { aws, signal }: Ground,
  machine: Machine,
  declared: ReadonlySet<string>,
): Promise<Machine> {
  const ask = (Attribute: string) =>
    aws.ec2.describeInstanceAttribute({ InstanceId: machine.id, Attribute }, { signal });
  let attributes: Attributes = {};
  if (declared.has("userData")) {
    const { UserData: told } = await ask("userData");
    attributes = { ...attributes, userData: Buffer.from(told?.Value ?? "", "base64").toString() };
  }
  if (declared.has("disableApiTermination")) {
    const { DisableApiTermination: told } = await ask("disableApiTermination");
    attributes = { ...attributes, disableApiTermination: told?.Value ?? false };
  }
  if (declared.has("disableApiStop")) {
    const { DisableApiStop: told } = await ask("disableApiStop");
    attributes = { ...attributes, disableApiStop: told?.Value ?? false };
  }
  if (declared.has("instanceInitiatedShutdownBehavior")) {
    const { InstanceInitiatedShutdownBehavior: told } = await ask("instanceInitiatedShutdownBehavior");
    attributes = { ...attributes, instanceInitiatedShutdownBehavior: told?.Value ?? "stop" };
  }
  if (declared.has("enableConsoleOutput")) {
    const { Output: output = "", Timestamp: at } = await aws.ec2.getConsoleOutput(
      { InstanceId: machine.id },
      { signal },
    );
    attributes = { ...attributes, console: { text: endOf(Buffer.from(output, "base64").toString()), at } };
  }
  return { ...machine, attributes };
}

function endOf(text: string): string {
  return text.trimEnd().split("\n").slice(-CONSOLE_LINES).join("\n").slice(-CONSOLE_CHARACTERS);
}

function* batches(ids: readonly string[]): Generator<readonly string[], void, undefined> {
  for (let from = 0; from < ids.length; from += MOST_VALUES) yield ids.slice(from, from + MOST_VALUES);
}
