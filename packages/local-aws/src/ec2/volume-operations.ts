import type { Operations, Volume, VolumeModification } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import { chosen } from "./chosen.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { FilterTable } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { checkId, notFound } from "./ids.ts";
import { page } from "./page.ts";
import type { VolumeRecord } from "./records.ts";
import { tagList } from "./tags.ts";
import { checkVolume } from "./volume-rules.ts";

const MODIFYING_MS = 60_000;
const OPTIMIZING_MS = 10 * 60_000;
/** A volume is changed this often at most. */
const REST_MS = 6 * 60 * 60_000;

/** Disks of instances, and what remains of them. */
export function volumeOperations(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  return {
    DescribeVolumes(input, context) {
      const named = chosen("volume", volumesIn(ground, context), ({ id }) => id, input.VolumeIds);
      const tagsOf = ({ id }: VolumeRecord) => store.tags.get(context, id) ?? [];
      const found = filtered(named, input.Filters, volumeFilters(ground), tagsOf);
      const { items, next } = page(found, ({ id }) => id, input);
      return { Volumes: items.map((volume) => volumeTold(ground, context, volume)), ...next };
    },

    async ModifyVolume(input, context) {
      checkId("volume", input.VolumeId);
      const volume = volumesIn(ground, context).find(({ id }) => id === input.VolumeId);
      if (volume === undefined) throw notFound("volume", [input.VolumeId]);
      const now = world.clock.now();
      const { durations } = world.pace;
      const { modification } = volume;
      if (modification && now < modification.completedAt) {
        throw new AwsError(
          "IncorrectModificationState",
          `Cannot modify volume ${volume.id}. The volume is currently in modification state '${modificationState(modification, now)}'.`,
        );
      }
      if (modification && now < modification.startedAt + REST_MS * durations) {
        throw new AwsError(
          "VolumeModificationRateExceeded",
          "You've reached the maximum modification rate per volume limit. Wait at least 6 hours between modifications per EBS volume.",
        );
      }
      const type = input.VolumeType ?? volume.type;
      const same = type === volume.type;
      const wanted = {
        size: input.Size ?? volume.size,
        type,
        iops: input.Iops ?? (same ? volume.iops : type === "gp3" ? 3000 : undefined),
        throughput: input.Throughput ?? (same ? volume.throughput : type === "gp3" ? 125 : undefined),
      };
      if (wanted.size < volume.size) {
        throw new AwsError("InvalidParameterValue", `New size cannot be smaller than existing size`);
      }
      checkVolume(wanted);
      const optimizingAt = now + MODIFYING_MS * durations;
      const next: VolumeRecord = {
        ...volume,
        ...wanted,
        modification: {
          startedAt: now,
          optimizingAt,
          completedAt: optimizingAt + OPTIMIZING_MS * durations,
          before: { size: volume.size, type: volume.type, iops: volume.iops, throughput: volume.throughput },
        },
      };
      await store.commit((commit) => store.volumes.put(commit, context, next.id, next));
      return { VolumeModification: modificationTold(next, now) };
    },

    DescribeVolumesModifications(input, context) {
      const now = world.clock.now();
      const named = chosen("volume", volumesIn(ground, context), ({ id }) => id, input.VolumeIds).filter(
        ({ modification }) => modification !== undefined,
      );
      const table = new Map([
        ["volume-id", ({ id }: VolumeRecord) => [id]],
        [
          "modification-state",
          ({ modification }: VolumeRecord) => (modification ? [modificationState(modification, now)] : []),
        ],
      ]);
      const { items, next } = page(
        filtered(named, input.Filters, table, () => []),
        ({ id }) => id,
        input,
      );
      return { VolumesModifications: items.map((volume) => modificationTold(volume, now)), ...next };
    },
  };
}

/** Volumes that are there: those that went with their instance are not. */
function volumesIn({ store, world }: Ground, place: Place): readonly VolumeRecord[] {
  const now = world.clock.now();
  return store.volumes
    .list(place)
    .filter(
      ({ deleteOnTermination, releasedAt }) => !(deleteOnTermination && releasedAt !== undefined && now >= releasedAt),
    );
}

function volumeFilters({ world }: Ground): FilterTable<VolumeRecord> {
  const now = world.clock.now();
  const attached = (volume: VolumeRecord, value: string): readonly string[] => (isAttached(volume, now) ? [value] : []);
  return new Map<string, (volume: VolumeRecord) => readonly string[]>([
    ["volume-id", ({ id }) => [id]],
    ["status", (volume) => [isAttached(volume, now) ? "in-use" : "available"]],
    ["volume-type", ({ type }) => [type]],
    ["size", ({ size }) => [String(size)]],
    ["availability-zone", ({ zone }) => [zone]],
    ["encrypted", ({ encrypted }) => [String(encrypted)]],
    ["attachment.instance-id", (volume) => attached(volume, volume.instanceId)],
    ["attachment.device", (volume) => attached(volume, volume.device)],
    ["attachment.delete-on-termination", (volume) => attached(volume, String(volume.deleteOnTermination))],
  ]);
}

function isAttached({ releasedAt }: VolumeRecord, now: number): boolean {
  return releasedAt === undefined || now < releasedAt;
}

function volumeTold({ store, world }: Ground, place: Place, volume: VolumeRecord): Volume {
  const now = world.clock.now();
  const attached = isAttached(volume, now);
  const { modification } = volume;
  const shown = modification && now < modification.optimizingAt ? { ...volume, ...modification.before } : volume;
  return {
    VolumeId: volume.id,
    Size: shown.size,
    VolumeType: shown.type,
    Iops: shown.iops,
    Throughput: shown.throughput,
    AvailabilityZone: volume.zone,
    CreateTime: volume.createdAt,
    Encrypted: volume.encrypted,
    KmsKeyId: volume.kmsKeyId,
    SnapshotId: volume.snapshotId ?? "",
    MultiAttachEnabled: false,
    State: attached ? "in-use" : "available",
    Attachments: attached
      ? [
          {
            VolumeId: volume.id,
            InstanceId: volume.instanceId,
            Device: volume.device,
            State: "attached",
            AttachTime: volume.createdAt,
            DeleteOnTermination: volume.deleteOnTermination,
          },
        ]
      : [],
    Tags: tagList(store.tags.get(place, volume.id) ?? []),
  };
}

type Modification = NonNullable<VolumeRecord["modification"]>;

function modificationState({ optimizingAt, completedAt }: Modification, now: number): string {
  return now < optimizingAt ? "modifying" : now < completedAt ? "optimizing" : "completed";
}

function modificationTold(volume: VolumeRecord, now: number): VolumeModification {
  const { modification } = volume;
  if (modification === undefined) return { VolumeId: volume.id };
  const state = modificationState(modification, now);
  const length = modification.completedAt - modification.startedAt;
  return {
    VolumeId: volume.id,
    ModificationState: state,
    OriginalSize: modification.before.size,
    OriginalVolumeType: modification.before.type,
    OriginalIops: modification.before.iops,
    OriginalThroughput: modification.before.throughput,
    TargetSize: volume.size,
    TargetVolumeType: volume.type,
    TargetIops: volume.iops,
    TargetThroughput: volume.throughput,
    Progress: state === "completed" || length === 0 ? 100 : Math.floor(((now - modification.startedAt) / length) * 100),
    StartTime: modification.startedAt,
    ...(state === "completed" && { EndTime: modification.completedAt }),
  };
}
