import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { linesFile, ListenerError, runGateway, SettingsError } from "@gatewright/gateway";
import type { RunningGateway } from "@gatewright/gateway";
import { keepAlive, systemClock, systemProcessStats, systemRandom } from "@gatewright/ports";
import { createLog } from "@gatewright/telemetry";
import { gatewayMatch } from "./gateway-match.ts";
import type { CommandContext } from "./run.ts";
import { threadFile } from "./thread-file.ts";
import { untilSignal } from "./until-signal.ts";
import { UsageError } from "./usage-error.ts";
import { ownVersion } from "./own-version.ts";

const HELP = `Usage: gatewright gateway --config FILE [OPTIONS]
       gatewright gateway match --config FILE | --admin URL [OPTIONS]

Runs a gateway until it is interrupted: it listens where FILE says and answers requests as the objects say that FILE leads to. What is
saved is served; SIGHUP makes it look at once. On SIGTERM it lets requests finish, on a second one it does not. What it has to say goes
to standard error, the access log to standard output unless FILE names a file for it.

  --config FILE        its settings (docs/gateway.md); examples/gateway-settings.yaml is one
  --workers N          how many threads serve, or auto: one for each core; default: as FILE says, or 1
  --log-format FORMAT  json or text; default: text for a terminal, json otherwise
  --log-level LEVEL    debug, info, warn or error; default: info

'gatewright gateway match --help' tells how to ask where a request would go.

Exit code: 0 it was told to end, 1 it could not run as FILE says, 2 the command line is wrong.
`;

interface GatewayOptions {
  readonly config: string;
  readonly workers: number | undefined;
  readonly format: "json" | "text";
  readonly level: "debug" | "info" | "warn" | "error";
}

/** Runs a gateway until SIGTERM or SIGINT, or explains what one does. */
export async function gateway(args: readonly string[], context: CommandContext): Promise<number> {
  if (args[0] === "match") return gatewayMatch(args.slice(1));
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  using _alive = keepAlive();
  using stats = systemProcessStats();
  const { config, workers, format, level } = options;
  const log = createLog({ clock: systemClock, format, level, write: (line) => void process.stderr.write(line) });
  const output = linesFile(1, log);
  // It serves before all of its threads do: whoever ends it then lets requests finish, too.
  const signalled = untilSignal();
  let running: RunningGateway;
  try {
    running = await runGateway(
      {
        from: config,
        clock: systemClock,
        random: systemRandom,
        log,
        write: (lines) => output.write(lines),
        stats,
        env: context.env,
        version: ownVersion(context.root),
        workers,
        spawn: (workerData) => new Worker(threadFile(context, "gateway-worker"), { workerData, execArgv: [] }),
      },
      new AbortController().signal,
    );
  } catch (error) {
    if (!isTold(error)) throw error;
    process.stderr.write(`gatewright gateway: ${error.message}\n`);
    return 1;
  }
  for (const { name, address, port, isTls } of running.listeners)
    log.info("Listens", { listener: name, address: `${isTls ? "https" : "http"}://${address}:${port}` });
  if (running.adminPort !== undefined)
    log.info("Tells about itself", { admin: `http://127.0.0.1:${running.adminPort}` });
  const reload = (): void => void running.reload();
  process.on("SIGHUP", reload);
  const signal = await signalled;
  log.info("Ends; requests under way may finish", { signal });
  await running.close();
  await output.end();
  process.off("SIGHUP", reload);
  return 0;
}

/** What a person can do something about, in words for them. */
function isTold(error: unknown): error is Error {
  const isOfSystem = error instanceof Error && "syscall" in error;
  return error instanceof SettingsError || error instanceof ListenerError || isOfSystem;
}

function readOptions(args: readonly string[]): GatewayOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        config: { type: "string" },
        workers: { type: "string" },
        "log-format": { type: "string" },
        "log-level": { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  if (values.config === undefined) throw new UsageError(`expected --config FILE\n\n${HELP}`);
  return {
    config: values.config,
    workers: workersOf(values.workers),
    format: oneOf("--log-format", values["log-format"] ?? (process.stderr.isTTY ? "text" : "json"), ["json", "text"]),
    level: oneOf("--log-level", values["log-level"] ?? "info", ["debug", "info", "warn", "error"]),
  };
}

function workersOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "auto") return availableParallelism();
  const workers = Number(text);
  if (Number.isInteger(workers) && workers >= 1 && workers <= 256) return workers;
  throw new UsageError(`--workers takes a number from 1 to 256, or auto, not ${JSON.stringify(text)}`);
}

function oneOf<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new UsageError(`${flag} takes ${choices.join(" or ")}, not ${JSON.stringify(text)}`);
  return found;
}
