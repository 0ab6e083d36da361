import type { Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { Networks, TaggedResources } from "../neighbours.ts";
import { lateReads } from "../late-reads.ts";
import { service } from "../service.ts";
import type { Handler, Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { addressOperations } from "./address-operations.ts";
import { attributeOperations } from "./attribute-operations.ts";
import { consoleOutput } from "./console-output.ts";
import { describeInstances } from "./describe-instances.ts";
import { Ec2Store } from "./ec2-store.ts";
import type { Place } from "./ec2-store.ts";
import type { Ground } from "./ground.ts";
import { WELL_KNOWN_IMAGES } from "./images.ts";
import type { MachineImage } from "./images.ts";
import { instanceProfile } from "./instance-profile.ts";
import type { Reason } from "./instance-life.ts";
import { keyPairOperations } from "./key-pair-operations.ts";
import { livingInstances } from "./living-instances.ts";
import { networkOperations } from "./network-operations.ts";
import { networksOf } from "./networks.ts";
import { placeListings } from "./place-listings.ts";
import { powerOperations } from "./power-operations.ts";
import { runInstances } from "./run-instances.ts";
import { securityGroupOperations } from "./security-group-operations.ts";
import { taggedResources, tagOperations } from "./tag-operations.ts";
import { terminate } from "./terminate.ts";
import { volumeOperations } from "./volume-operations.ts";

/** How far describes are behind, where reads lag: of an instance, a network, a group or a tag that is new they know nothing yet. */
const LAG_MS = 3000;

/** EC2: the life of instances and the networks they are in. Nothing is booted. */
export interface Ec2 {
  readonly service: Service;
  readonly tagged: TaggedResources;
  readonly networks: Networks;
  /** Ends an instance as misfortune would, with a reason such as `Server.InternalError`. False without one. */
  readonly afflict: (place: Place, instanceId: string, reason: Reason) => Promise<boolean>;
}

export interface Ec2Options {
  /** Those that can be launched besides the well-known ones. */
  readonly images?: readonly MachineImage[];
  /** The account's default for launches. Default: disabled. */
  readonly metadataTags?: "enabled" | "disabled";
}

export function createEc2(world: AwsWorld, { images = [], metadataTags = "disabled" }: Ec2Options = {}): Ec2 {
  const store = new Ec2Store(world.state);
  const late = lateReads(world, LAG_MS);
  const ground: Ground = { world, store, images: [...WELL_KNOWN_IMAGES, ...images], metadataTags };
  const bare = service<Operations>("ec2", {
    ...placeListings(ground),
    ...networkOperations(ground),
    ...securityGroupOperations(ground),
    ...keyPairOperations(ground),
    ...addressOperations(ground),
    ...runInstances(ground),
    ...describeInstances(ground),
    ...consoleOutput(ground),
    ...powerOperations(ground),
    ...attributeOperations(ground),
    ...instanceProfile(ground),
    ...volumeOperations(ground),
    ...tagOperations(ground),
  });
  return {
    service: {
      ...bare,
      operations: new Map(
        [...bare.operations].map(([name, handler]) => [
          name,
          prepared(store, name.startsWith("Describe") ? late(handler) : handler),
        ]),
      ),
    },
    tagged: taggedResources(ground),
    networks: networksOf(ground),
    async afflict(place, instanceId, reason) {
      const instance = livingInstances(ground, place).find(({ id }) => id === instanceId);
      if (instance === undefined) return false;
      await terminate(ground, place, [instance], reason);
      return true;
    },
  };
}

/** Every operation finds the default VPC there, and is only tried out when it is asked to be. */
function prepared(store: Ec2Store, handler: Handler): Handler {
  return async (input, context) => {
    await store.found(context);
    if ("DryRun" in input && input.DryRun === true) {
      throw new AwsError("DryRunOperation", "Request would have succeeded, but DryRun flag is set.", { status: 412 });
    }
    return handler(input, context);
  };
}
