import { createHash } from "node:crypto";
import type {
  IamInstanceProfileAssociation,
  IamInstanceProfileSpecification,
  Operations,
} from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import { partitionOf } from "../partition.ts";
import type { Handlers } from "../service.ts";
import type { Place } from "./ec2-store.ts";
import { filtered } from "./filters.ts";
import type { Ground } from "./ground.ts";
import { checkId, newId, notFound } from "./ids.ts";
import { instanceFor, livingInstances } from "./living-instances.ts";
import { page } from "./page.ts";
import type { InstanceRecord } from "./records.ts";

type Profile = NonNullable<InstanceRecord["profile"]>;

/** Which profile an instance has. IAM is not asked: a profile that is well-formed is believed in. */
export function instanceProfile(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  const associated = (place: Place, id: string): InstanceRecord & { readonly profile: Profile } => {
    checkId("profile-association", id);
    const found = livingInstances(ground, place).find(({ profile }) => profile?.associationId === id);
    if (found?.profile === undefined) throw notFound("profile-association", [id]);
    return { ...found, profile: found.profile };
  };
  return {
    async AssociateIamInstanceProfile(input, context) {
      const instance = instanceFor(ground, context, input.InstanceId);
      if (instance.profile !== undefined) {
        throw new AwsError("IncorrectState", `There is an existing association for instance ${instance.id}`);
      }
      const next = { ...instance, profile: profileOf(ground, input.IamInstanceProfile, context) };
      await store.commit((commit) => store.instances.put(commit, context, next.id, next));
      return { IamInstanceProfileAssociation: associationTold(next.id, next.profile, "associating") };
    },

    async ReplaceIamInstanceProfileAssociation(input, context) {
      const instance = associated(context, input.AssociationId);
      const next = { ...instance, profile: profileOf(ground, input.IamInstanceProfile, context) };
      await store.commit((commit) => store.instances.put(commit, context, next.id, next));
      return { IamInstanceProfileAssociation: associationTold(next.id, next.profile, "associating") };
    },

    async DisassociateIamInstanceProfile(input, context) {
      const instance = associated(context, input.AssociationId);
      await store.commit((commit) =>
        store.instances.put(commit, context, instance.id, { ...instance, profile: undefined }),
      );
      return { IamInstanceProfileAssociation: associationTold(instance.id, instance.profile, "disassociating") };
    },

    DescribeIamInstanceProfileAssociations(input, context) {
      const ids = input.AssociationIds ?? [];
      const all = livingInstances(ground, context).flatMap(({ id, profile }) => (profile ? [{ id, profile }] : []));
      const table = new Map([
        ["instance-id", ({ id }: (typeof all)[number]) => [id]],
        ["state", () => ["associated"]],
      ]);
      const named = all.filter(({ profile }) => ids.length === 0 || ids.includes(profile.associationId));
      const { items, next } = page(
        filtered(named, input.Filters, table, () => []),
        ({ profile }) => profile.associationId,
        input,
      );
      const now = world.clock.now();
      return {
        IamInstanceProfileAssociations: items.map(({ id, profile }) => ({
          ...associationTold(id, profile, "associated"),
          Timestamp: Math.min(profile.since, now),
        })),
        ...next,
      };
    },
  };
}

/** A profile by name or ARN. */
export function profileOf(
  { world }: Ground,
  { Arn: arn, Name: name }: IamInstanceProfileSpecification,
  { account, region }: Place,
): Profile {
  if (arn !== undefined && name !== undefined) {
    throw new AwsError(
      "InvalidParameterCombination",
      "The parameter 'iamInstanceProfile.name' may not be used in combination with 'iamInstanceProfile.arn'",
    );
  }
  if (arn !== undefined && !/^arn:aws[a-z-]*:iam::\d{12}:instance-profile\/.+$/.test(arn)) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${arn}) for parameter iamInstanceProfile.arn is invalid. Invalid IAM Instance Profile ARN`,
    );
  }
  if (arn === undefined && !/^[\w+=,.@-]{1,128}$/.test(name ?? "")) {
    throw new AwsError(
      "InvalidParameterValue",
      `Value (${name ?? ""}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`,
    );
  }
  const whole = arn ?? `arn:${partitionOf(region)}:iam::${account}:instance-profile/${name ?? ""}`;
  return {
    associationId: newId(world.random, "profile-association"),
    arn: whole,
    id: `AIPA${createHash("sha256").update(whole).digest("hex").slice(0, 17).toUpperCase()}`,
    since: world.clock.now(),
  };
}

function associationTold(
  instanceId: string,
  { associationId, arn, id }: Profile,
  state: string,
): IamInstanceProfileAssociation {
  return {
    AssociationId: associationId,
    InstanceId: instanceId,
    IamInstanceProfile: { Arn: arn, Id: id },
    State: state,
  };
}
