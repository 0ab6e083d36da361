import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import type { Clock } from "@gatewright/ports";
import type { ContainerRuntime, ContainerSpec } from "../container-runtime.ts";
import { freePort } from "./free-port.ts";
import { runCommand } from "./run-command.ts";
import { hostEnvironment } from "./host-environment.ts";
import { commandFor } from "./image-commands.ts";
import type { ImageCommand } from "./image-commands.ts";
import { ProcessList } from "./process-list.ts";

export interface HostProcessesOptions {
  readonly clock: Clock;
  /** Which images are commands of this machine: `readImageCommands`. */
  readonly commands: readonly ImageCommand[];
  /** Where files of containers and the list of processes are kept: one folder for one program. */
  readonly folder: string;
  /**
   * How the API server lets callers in. Only `loopback` will do: there every caller is the local admin. With other callers about,
   * nobody can tell for whom a controller has made a pod, so host processes are refused altogether.
   */
  readonly access: "loopback" | "required";
}

/** Host processes were asked for where callers other than the local admin could start them. */
export class HostProcessesRefusedError extends Error {
  readonly code = "HostProcessesRefused";

  constructor() {
    super(
      "host processes are for the local admin alone, and this server lets others in too: " +
        "start it without access control (loopback), or without host processes",
    );
    this.name = "HostProcessesRefusedError";
  }
}

/**
 * Runs containers of mapped images as processes of this machine, with the rights of whoever started this program. Off unless the
 * composer makes one. Any user of this machine who reaches the API server can start the mapped commands; what they are is said by the
 * file alone, unless it trusts pods. Processes that an earlier program left behind are ended first. Throws
 * {@link HostProcessesRefusedError}.
 */
export async function hostProcesses(options: HostProcessesOptions, signal: AbortSignal): Promise<ContainerRuntime> {
  const { clock, commands, folder, access } = options;
  if (access !== "loopback") throw new HostProcessesRefusedError();
  const list = new ProcessList(join(folder, "processes.json"));
  await list.sweep(signal);
  await rm(join(folder, "files"), { recursive: true, force: true });
  return {
    accepts: (image) => commandFor(commands, image) !== undefined,
    pulls: false,
    async start(spec, starting) {
      const command = commandFor(commands, spec.image);
      if (command === undefined) throw new TypeError(`no command is mapped to image ${spec.image}`);
      const root = join(folder, "files", spec.pod.uid, spec.name);
      await writeFiles(root, spec);
      const ports = await realPorts(spec);
      starting.throwIfAborted();
      const env = hostEnvironment(spec, command, { ports, root });
      const container = await runCommand({ spec, command, env, clock, list });
      for (const [port, real] of ports) spec.opened(port, { host: "127.0.0.1", port: real });
      void container.exited.then(() => rm(root, { recursive: true, force: true })).catch(() => {}); // swept at the next start
      return container;
    },
  };
}

/** A free port of this machine for each that the container declares. */
async function realPorts({ ports, env }: ContainerSpec): Promise<ReadonlyMap<number, number>> {
  const asked = Number(env.get("PORT"));
  const wanted = ports.length > 0 ? [...new Set(ports)] : [Number.isInteger(asked) && asked > 0 ? asked : 8080];
  const real = new Map<number, number>();
  for (const port of wanted) real.set(port, await freePort());
  return real;
}

/** Volumes under a folder that stands for the root of the container's file system. */
async function writeFiles(root: string, { files }: ContainerSpec): Promise<void> {
  await rm(root, { recursive: true, force: true });
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const [path, { data, mode, secret }] of files) {
    const place = join(root, normalize(`/${path}`));
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, data, { mode: secret ? mode & 0o700 : mode });
  }
}
