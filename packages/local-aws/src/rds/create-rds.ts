import type { Operations } from "@gatewright/aws-wire/types/rds";
import type { Networks, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { parseArn } from "./arn.ts";
import { engineListings } from "./engine-listings.ts";
import type { Ground } from "./ground.ts";
import { instanceOperations } from "./instance-operations.ts";
import { modifyInstance } from "./modify-instance.ts";
import { parameterGroups } from "./parameter-groups.ts";
import { powerOperations } from "./power-operations.ts";
import { RdsStore } from "./rds-store.ts";
import { snapshotOperations } from "./snapshot-operations.ts";
import { subnetGroups } from "./subnet-groups.ts";
import { tagOperations, taggedDatabases } from "./tag-operations.ts";

/** RDS: the life of database instances, without databases. */
export interface Rds {
  readonly service: Service;
  readonly tagged: TaggedResources;
  /** Puts an instance into a status for good, such as `failed` or `storage-full`, as misfortune would. False without one. */
  readonly afflict: (arn: string, status: string) => Promise<boolean>;
}

export interface RdsOptions {
  /** Without it every subnet and security group that is well-formed is believed in. */
  readonly networks?: Networks;
  /** How many instances an account may have in a region. Default: 40, as on AWS. */
  readonly quota?: number;
}

export function createRds(world: AwsWorld, { networks, quota = 40 }: RdsOptions = {}): Rds {
  const store = new RdsStore(world.state);
  const ground: Ground = { world, store, networks, quota };
  return {
    service: service<Operations>("rds", {
      ...instanceOperations(ground),
      ...modifyInstance(ground),
      ...powerOperations(ground),
      ...snapshotOperations(ground),
      ...subnetGroups(ground),
      ...parameterGroups(ground),
      ...tagOperations(ground),
      ...engineListings(),
    }),
    tagged: taggedDatabases(ground),
    async afflict(arn, status) {
      const now = world.clock.now();
      const place = parseArn(arn);
      const record = place?.kind === "db" ? store.instance(place, place.name, now) : undefined;
      if (record === undefined) return false;
      await store.commit((commit) => store.putInstance(commit, { ...record, life: { phases: [], last: status } }, now));
      return true;
    },
  };
}
