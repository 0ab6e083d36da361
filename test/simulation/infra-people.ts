import type { Aws } from "@gatewright/aws";
import { getPath } from "@gatewright/kube";
import type { KubeObject, Resource } from "@gatewright/kube";
import type { Actor } from "@gatewright/runtime/simulation";
import { simulatedAws } from "./aws-system.ts";
import type { InfraSubject } from "./infra-subjects.ts";

/** Its value approves the plan of that hash. */
export const APPROVE = "aws-infra-operator.runner.codes/approve";
/** Of the tags that say whose a resource is those that oracles and controllers go by. */
const OWNER_TAGS = ["gatewright.dev/cluster", "gatewright.dev/namespace", "gatewright.dev/name", "gatewright.dev/uid"];
const RECONCILE_NOW = "aws-infra-operator.runner.codes/reconcile-now";

/** A person who approves whatever plan these objects show, some time after it is there. */
export function approver(resource: Resource, names: ReadonlySet<string>): Actor {
  return {
    name: "approver",
    watches: { group: resource.group, resource: resource.plural },
    afterMs: 3_000,
    async act(object, world) {
      const hash = getPath(object, "status", "plan", "hash");
      if (!names.has(nameOf(object)) || hash === undefined || annotation(object, APPROVE) === hash) return;
      const { namespace = "", name = "" } = object.metadata;
      await world.take({
        patch: { ...resource, namespace, name },
        with: { metadata: { annotations: { [APPROVE]: hash } } },
      });
    },
  };
}

/** Somebody who deletes the resource of this object in AWS once it is ready, and wants it to be looked at then. */
export function deleter(resource: Resource, victim: string, unmake: NonNullable<InfraSubject["unmake"]>): Actor {
  return {
    name: "deleter",
    watches: { group: resource.group, resource: resource.plural },
    afterMs: 2_000,
    async act(object, world) {
      const id = getPath(object, "status", "resource", "id");
      const isReady = getPath(object, "status", "ready") === true;
      const { deletionTimestamp, namespace = "", name = "" } = object.metadata;
      const isDone = annotation(object, RECONCILE_NOW) !== undefined || deletionTimestamp !== undefined;
      if (nameOf(object) !== victim || !isReady || isDone || typeof id !== "string") return;
      const aws: Aws = simulatedAws({ port: world.system("aws"), clock: world.clock, random: world.random });
      await unmake(aws, id, new AbortController().signal);
      await world.take({
        patch: { ...resource, namespace, name },
        with: { metadata: { annotations: { [RECONCILE_NOW]: "it was deleted" } } },
      });
    },
  };
}

/** Somebody who takes the tags off the resource of this object that say whose it is, once it is ready. */
export function disowner(resource: Resource, victim: string, untag: NonNullable<InfraSubject["untag"]>): Actor {
  return {
    name: "disowner",
    watches: { group: resource.group, resource: resource.plural },
    afterMs: 1_000,
    async act(object, world) {
      const id = getPath(object, "status", "resource", "id");
      const isReady = getPath(object, "status", "ready") === true;
      const isGoing = object.metadata.deletionTimestamp !== undefined;
      if (nameOf(object) !== victim || !isReady || isGoing || typeof id !== "string") return;
      const aws: Aws = simulatedAws({ port: world.system("aws"), clock: world.clock, random: world.random });
      await untag(aws, id, OWNER_TAGS, new AbortController().signal);
    },
  };
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name ?? "";
}

function annotation({ metadata }: KubeObject, key: string): string | undefined {
  return metadata.annotations?.[key];
}
