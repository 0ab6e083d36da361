import type { Operations } from "@gatewright/aws-wire/types/ec2";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { stateAt } from "./instance-life.ts";
import { instanceFor } from "./living-instances.ts";

/** The console of an instance that never boots: a line for each state it was in. */
export function consoleOutput(ground: Ground): Handlers<Operations> {
  return {
    GetConsoleOutput(input, context) {
      const { id, type, launchedAt, life } = instanceFor(ground, context, input.InstanceId);
      const lines = [`${id} (${type}) was started.`, `It is ${stateAt(life, ground.world.clock.now())}.`];
      return {
        InstanceId: id,
        Timestamp: launchedAt,
        Output: Buffer.from(`${lines.join("\n")}\n`).toString("base64"),
      };
    },
  };
}
