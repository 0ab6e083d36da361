import type { Operations } from "@gatewright/aws-wire/types/iam";
import { lateReads } from "../late-reads.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import type { Ground } from "./ground.ts";
import { instanceProfiles } from "./instance-profiles.ts";
import { policyOperations } from "./policy-operations.ts";
import { roleOperations } from "./role-operations.ts";
import { rolePolicies } from "./role-policies.ts";
import { IamStore } from "./store.ts";

/** IAM is one for the world: what was changed in one place is known in the others a while later. */
const LAG = 3_000;

/** IAM: roles, policies and instance profiles of accounts, the same in every region. They are kept and judged, not enforced. */
export function createIam(world: AwsWorld): { readonly service: Service } {
  const ground: Ground = { world, store: new IamStore(world.state), late: lateReads(world, LAG) };
  return {
    service: service<Operations>("iam", {
      ...roleOperations(ground),
      ...rolePolicies(ground),
      ...policyOperations(ground),
      ...instanceProfiles(ground),
    }),
  };
}
