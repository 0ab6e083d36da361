import { sleep } from "@gatewright/ports";
import type { Clock } from "@gatewright/ports";
import type { Container, ContainerExit, ContainerRuntime } from "./container-runtime.ts";
import { ImageError } from "./image-error.ts";
import { parseImageName } from "./image-name.ts";

export interface SimulatedContainersOptions {
  readonly clock: Clock;
  /** How long an image takes to arrive and start. Default: 1 s. */
  readonly startMs?: number;
  /** How long a container runs that is there to end. Default: 1 s. */
  readonly runMs?: number;
}

/** A tag that no registry has, so that failing pulls can be shown. */
const MISSING = "missing";

/**
 * Plays containers of any image: they start after a delay, run until they are stopped, and end well if they are there to end. Nothing
 * really runs, and their logs say so.
 */
export function simulatedContainers(options: SimulatedContainersOptions): ContainerRuntime {
  const { clock, startMs = 1000, runMs = 1000 } = options;
  return {
    accepts: () => true,
    pulls: true,
    async start({ image, ends, log }, signal) {
      const name = parseImageName(image);
      if (name === undefined) throw ImageError.invalid(image);
      await sleep(clock, startMs, signal);
      if (name.tag === MISSING) throw ImageError.notFound(image, name.whole);
      log.write(`gatewright: image ${image} is not run on this machine; this container is simulated`);
      return simulated(clock, ends ? runMs : undefined);
    },
  };
}

function simulated(clock: Clock, endsAfterMs: number | undefined): Container {
  const { promise: exited, resolve } = Promise.withResolvers<ContainerExit>();
  const end = (): void => resolve({ exitCode: 0, reason: "Completed" });
  const cancel = endsAfterMs === undefined ? undefined : clock.timer(endsAfterMs, end);
  return {
    exited,
    simulated: true,
    async stop(graceMs) {
      cancel?.();
      if (graceMs > 0) end();
      else resolve({ exitCode: 137, reason: "Error" });
      await exited;
    },
  };
}
