import { createHash } from "node:crypto";
import type { Operations, RunInstancesRequest } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import { networkOf, usableAddresses } from "./cidr.ts";
import type { Ground } from "./ground.ts";
import { newId } from "./ids.ts";
import { STATE_MS, stateAt } from "./instance-life.ts";
import { reservationTold } from "./instance-shape.ts";
import { profileOf } from "./instance-profile.ts";
import { wishesOf } from "./launch-wishes.ts";
import type { Wishes } from "./launch-wishes.ts";
import { inhabitants } from "./network-operations.ts";
import { publicAddress } from "./public-address.ts";
import type { InstanceRecord, VolumeRecord } from "./records.ts";
import { checkTellable, specifiedTags } from "./tags.ts";

const LONGEST_TOKEN = 64;

/** Instances are launched, once for each client token. */
export function runInstances(ground: Ground): Handlers<Operations> {
  const { store } = ground;
  return {
    async RunInstances(input, context) {
      const again = repeated(ground, input, context);
      if (again !== undefined) return reservationTold(ground, context, again);
      const wishes = wishesOf(ground, input, context);
      const tags = specifiedTags(input.TagSpecifications, [
        "instance",
        "volume",
        "network-interface",
        "spot-instances-request",
      ]);
      checkTellable(wishes.metadataOptions, tags.get("instance") ?? []);
      const reservationId = newId(ground.world.random, "reservation");
      const addresses = freeAddresses(ground, input, wishes, context);
      const launched = addresses.map((address, i) =>
        launch(ground, input, wishes, { reservationId, address, index: i, context }),
      );
      await store.commit((commit) => {
        for (const { instance, volumes } of launched) {
          store.instances.put(commit, context, instance.id, instance);
          store.tags.put(commit, context, instance.id, tags.get("instance") ?? []);
          store.tags.put(commit, context, instance.interfaceId, tags.get("network-interface") ?? []);
          for (const volume of volumes) {
            store.volumes.put(commit, context, volume.id, volume);
            store.tags.put(commit, context, volume.id, tags.get("volume") ?? []);
          }
        }
        if (input.ClientToken !== undefined) {
          store.tokens.put(commit, context, tokenKey(input, context), {
            parameters: fingerprint(input),
            reservationId,
            instances: launched.map(({ instance }) => instance.id),
          });
        }
      });
      return reservationTold(
        ground,
        context,
        launched.map(({ instance }) => instance),
      );
    },
  };
}

/** What a token was used for already: the same request gives the same instances, as long as there is one of them. */
function repeated(
  ground: Ground,
  input: RunInstancesRequest,
  context: CallContext,
): readonly InstanceRecord[] | undefined {
  const { store, world } = ground;
  const token = input.ClientToken;
  if (token === undefined) return undefined;
  if (token.length > LONGEST_TOKEN) {
    throw new AwsError("InvalidParameterValue", "The client token may have up to 64 ASCII characters.");
  }
  const used = store.tokens.get(context, tokenKey(input, context));
  if (used === undefined) return undefined;
  if (used.parameters !== fingerprint(input)) {
    throw new AwsError(
      "IdempotentParameterMismatch",
      "Arguments on this idempotent request are inconsistent with arguments used in previous request(s).",
    );
  }
  const now = world.clock.now();
  const instances = used.instances.flatMap((id) => store.instances.get(context, id) ?? []);
  if (instances.every(({ life }) => ["terminated", "gone"].includes(stateAt(life, now)))) {
    throw new AwsError(
      "IdempotentInstanceTerminated",
      "The client token that you provided was used for an instance that has been terminated. Use another client token.",
    );
  }
  return instances;
}

/** Tokens count in a zone where the request names one, and else in the region. They are kept hashed: clients choose them. */
function tokenKey(
  { ClientToken: token = "", SubnetId: subnetId, Placement: placement }: RunInstancesRequest,
  context: CallContext,
): string {
  const scope = placement?.AvailabilityZone ?? subnetId ?? context.region;
  return createHash("sha256")
    .update(JSON.stringify([scope, token]))
    .digest("hex");
}

/** What must be the same for a request to be the same. */
function fingerprint(input: RunInstancesRequest): string {
  const { ClientToken: _, DryRun: __, ...parameters } = input;
  return createHash("sha256").update(canonical(parameters)).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${entries
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`)
    .join()}}`;
}

/** As many addresses as can be had, up to the most that are wanted. */
function freeAddresses(
  ground: Ground,
  input: RunInstancesRequest,
  { subnet, privateAddress }: Wishes,
  context: CallContext,
): readonly string[] {
  const network = networkOf(subnet.cidr);
  const taken = new Set(inhabitants(ground, context, subnet));
  const free: string[] = [];
  for (const address of network === undefined ? [] : usableAddresses(network)) {
    if (free.length >= input.MaxCount) break;
    if (!taken.has(address) && (privateAddress === undefined || privateAddress === address)) free.push(address);
  }
  if (privateAddress !== undefined && taken.has(privateAddress))
    throw new AwsError("InvalidIPAddress.InUse", `Address ${privateAddress} is in use.`);
  if (privateAddress !== undefined && free.length === 0) {
    throw new AwsError(
      "InvalidParameterValue",
      `Address ${privateAddress} does not fall within the subnet's address range`,
    );
  }
  if (free.length < input.MinCount) {
    throw new AwsError(
      "InsufficientFreeAddressesInSubnet",
      `The specified subnet does not have enough free addresses to satisfy the request.`,
    );
  }
  return free;
}

function launch(
  ground: Ground,
  input: RunInstancesRequest,
  wishes: Wishes,
  {
    reservationId,
    address,
    index,
    context,
  }: {
    readonly reservationId: string;
    readonly address: string;
    readonly index: number;
    readonly context: CallContext;
  },
): { readonly instance: InstanceRecord; readonly volumes: readonly VolumeRecord[] } {
  const { random, clock, pace } = ground.world;
  const now = clock.now();
  const id = newId(random, "instance");
  const { subnet } = wishes;
  const volumes = wishes.disks.map((disk): VolumeRecord => ({
    ...disk,
    id: newId(random, "volume"),
    zone: subnet.zone,
    createdAt: now,
    instanceId: id,
  }));
  const instance: InstanceRecord = {
    id,
    reservationId,
    launchIndex: index,
    createdAt: now,
    launchedAt: now,
    clientToken: input.ClientToken ?? "",
    imageId: wishes.image.id,
    type: wishes.type,
    keyName: input.KeyName,
    subnetId: subnet.id,
    vpcId: subnet.vpcId,
    zone: subnet.zone,
    tenancy: input.Placement?.Tenancy ?? "default",
    groups: wishes.groups,
    interfaceId: newId(random, "network-interface"),
    privateIp: address,
    publicIp: wishes.publicAddress ? publicAddress(random) : undefined,
    monitoring: input.Monitoring?.Enabled ?? false,
    ebsOptimized: input.EbsOptimized ?? false,
    sourceDestCheck: true,
    noTermination: input.DisableApiTermination ?? false,
    noStop: input.DisableApiStop ?? false,
    shutdownBehavior: input.InstanceInitiatedShutdownBehavior ?? "stop",
    userData: input.UserData,
    metadataOptions: wishes.metadataOptions,
    profile: input.IamInstanceProfile && profileOf(ground, input.IamInstanceProfile, context),
    volumes: volumes.map((volume) => ({ device: volume.device, volumeId: volume.id })),
    life: { first: "pending", since: now, until: now + STATE_MS.pending * pace.durations, last: "running" },
  };
  return { instance, volumes };
}
