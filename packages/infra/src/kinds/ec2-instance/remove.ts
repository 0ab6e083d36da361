import { AwsCallError } from "@gatewright/aws";
import type { Immutable } from "@gatewright/kube";
import type { EC2Instance } from "@gatewright/resources";
import type { Obstacle } from "../../engine/aws-kind.ts";
import type { Ground } from "../../engine/session.ts";
import type { Machine } from "./machine.ts";
import { isCode } from "./read.ts";

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
    if (!(error instanceof AwsCallError) || error.code !== "OperationNotPermitted") throw error;
    if (spec.disableApiTermination !== false) {
      return {
        reason: "DeletionProtected",
        message: `${id} is protected against termination: set disableApiTermination: false to delete it, or another deletionPolicy to keep it`,
      };
    }
    await aws.ec2.modifyInstanceAttribute({ InstanceId: id, DisableApiTermination: { Value: false } }, { signal });
    await aws.ec2.terminateInstances({ InstanceIds: [id] }, { signal });
  }
  return undefined;
}

/** Stops it, for the policy Stop. True once it is stopped. */
export async function stopMachine({ aws, signal }: Ground, { id, state }: Machine): Promise<boolean> {
  if (state !== "running" && state !== "pending") return state !== "stopping";
  await aws.ec2.stopInstances({ InstanceIds: [id] }, { signal });
  return false;
}
