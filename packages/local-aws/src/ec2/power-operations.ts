import type { InstanceStateChange, Operations } from "@gatewright/aws-wire/types/ec2";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { STATE_MS, stateAt, stateTold, USER_SHUTDOWN } from "./instance-life.ts";
import type { Life, StateName } from "./instance-life.ts";
import { instancesFor } from "./living-instances.ts";
import type { InstanceRecord } from "./records.ts";
import { terminate } from "./terminate.ts";

/** Instances are started, stopped, and ended. Of several, all are or none. */
export function powerOperations(ground: Ground): Handlers<Operations> {
  const { world, store } = ground;
  const now = (): number => world.clock.now();
  const stateOf = ({ life }: InstanceRecord): StateName => {
    const state = stateAt(life, now());
    return state === "gone" ? "terminated" : state;
  };
  const passing = (first: keyof typeof STATE_MS, last: StateName, reason?: Life["reason"]): Life => ({
    first,
    since: now(),
    until: now() + STATE_MS[first] * world.pace.durations,
    last,
    reason,
  });
  const change = (before: InstanceRecord, to: StateName): InstanceStateChange => ({
    InstanceId: before.id,
    PreviousState: stateTold(stateOf(before)),
    CurrentState: stateTold(to),
  });
  const live = async (context: CallContext, instances: readonly InstanceRecord[], life: Life): Promise<void> => {
    await store.commit((commit) => {
      for (const instance of instances) store.instances.put(commit, context, instance.id, { ...instance, life });
    });
  };
  return {
    async StartInstances(input, context) {
      const all = instancesFor(ground, context, input.InstanceIds);
      for (const one of all) {
        if (!["stopped", "running", "pending"].includes(stateOf(one))) throw wrongState(one, "started");
      }
      const asleep = all.filter((one) => stateOf(one) === "stopped");
      const changes = all.map((one) => change(one, asleep.includes(one) ? "pending" : stateOf(one)));
      const woken = asleep.map((one) => ({ ...one, launchedAt: now() }));
      await live(context, woken, passing("pending", "running"));
      return { StartingInstances: changes };
    },

    async StopInstances(input, context) {
      const all = instancesFor(ground, context, input.InstanceIds);
      for (const one of all) {
        if (!["running", "pending", "stopping", "stopped"].includes(stateOf(one))) throw wrongState(one, "stopped");
        if (one.noStop) {
          throw new AwsError(
            "OperationNotPermitted",
            `The instance '${one.id}' may not be stopped. Modify its 'disableApiStop' instance attribute and try again.`,
          );
        }
      }
      const awake = all.filter((one) => ["running", "pending"].includes(stateOf(one)));
      const changes = all.map((one) => change(one, awake.includes(one) ? "stopping" : stateOf(one)));
      await live(context, awake, passing("stopping", "stopped", USER_SHUTDOWN));
      return { StoppingInstances: changes };
    },

    async RebootInstances(input, context) {
      for (const one of instancesFor(ground, context, input.InstanceIds)) {
        if (!["running", "pending"].includes(stateOf(one))) throw wrongState(one, "rebooted");
      }
      return {};
    },

    async TerminateInstances(input, context) {
      const all = instancesFor(ground, context, input.InstanceIds);
      for (const one of all) {
        // Who may not be stopped may not be terminated either.
        const by = one.noTermination ? "disableApiTermination" : one.noStop ? "disableApiStop" : undefined;
        if (by !== undefined && !["shutting-down", "terminated"].includes(stateOf(one))) {
          throw new AwsError(
            "OperationNotPermitted",
            `The instance '${one.id}' may not be terminated. Modify its '${by}' instance attribute and try again.`,
          );
        }
      }
      const alive = all.filter((one) => !["shutting-down", "terminated"].includes(stateOf(one)));
      const changes = all.map((one) => change(one, alive.includes(one) ? "shutting-down" : stateOf(one)));
      await terminate(ground, context, alive, USER_SHUTDOWN);
      return { TerminatingInstances: changes };
    },
  };
}

function wrongState({ id }: InstanceRecord, what: string): AwsError {
  return new AwsError("IncorrectInstanceState", `The instance '${id}' is not in a state from which it can be ${what}.`);
}
