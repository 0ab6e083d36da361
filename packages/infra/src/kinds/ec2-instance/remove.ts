import type { Immutable } from "@gatewright/kube";
import type { EC2Instance } from "@gatewright/resources";
import type { Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import type { Machine } from "./machine.ts";
import { isCode } from "./read.ts";

/** What AWS protects an instance by. Who may not be stopped may not be terminated either. */
const PROTECTIONS = ["disableApiTermination", "disableApiStop"] as const;

type Protection = (typeof PROTECTIONS)[number];

/** Terminates it. Protection that the spec says is off is turned off; any other is respected. */
export async function terminateMachine(
  ground: Ground,
  seen: Machine,
  { spec }: Immutable<EC2Instance>,
): Promise<Obstacle | undefined> {
  const { aws, signal } = ground;
  const { id, state } = seen;
  if (state === "shutting-down") return undefined;
  try {
    await aws.ec2.terminateInstances({ InstanceIds: [id] }, { signal });
  } catch (error) {
    if (isCode(error, "InvalidInstanceID.NotFound")) return undefined;
    if (!isCode(error, "OperationNotPermitted")) throw error;
    const protections = await protectionsOf(ground, id);
    if (protections.length === 0) throw error;
    const kept = protections.filter((protection) => spec[protection] !== false);
    if (kept.length > 0) {
      return {
        reason: "DeletionProtected",
        message: `${id} is protected against termination: set ${kept.map((name) => `${name}: false`).join(" and ")} to delete it, or another deletionPolicy to keep it`,
      };
    }
    for (const protection of protections) await unprotect(ground, id, protection);
    await aws.ec2.terminateInstances({ InstanceIds: [id] }, { signal });
  }
  return undefined;
}

/** Stops it, for the policy Stop. True once it is stopped. */
export async function stopMachine(
  ground: Ground,
  { id, state }: Machine,
  { spec }: Immutable<EC2Instance>,
): Promise<boolean> {
  const { aws, signal } = ground;
  if (state !== "running" && state !== "pending") return state !== "stopping";
  try {
    await aws.ec2.stopInstances({ InstanceIds: [id] }, { signal });
  } catch (error) {
    if (!isCode(error, "OperationNotPermitted") || spec.disableApiStop !== false) throw error;
    await unprotect(ground, id, "disableApiStop");
    await aws.ec2.stopInstances({ InstanceIds: [id] }, { signal });
  }
  return false;
}

async function protectionsOf({ aws, signal }: Ground, id: string): Promise<readonly Protection[]> {
  const on: Protection[] = [];
  for (const Attribute of PROTECTIONS) {
    const told = await aws.ec2.describeInstanceAttribute({ InstanceId: id, Attribute }, { signal });
    const is = Attribute === "disableApiStop" ? told.DisableApiStop : told.DisableApiTermination;
    if (is?.Value === true) on.push(Attribute);
  }
  return on;
}

async function unprotect({ aws, signal }: Ground, id: string, protection: Protection): Promise<void> {
  const off = { Value: false };
  const attribute = protection === "disableApiStop" ? { DisableApiStop: off } : { DisableApiTermination: off };
  await aws.ec2.modifyInstanceAttribute({ InstanceId: id, ...attribute }, { signal });
}
