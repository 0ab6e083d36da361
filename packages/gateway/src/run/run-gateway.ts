import { join } from "node:path";
import { deadline } from "@gatewright/ports";
import type { Clock, ProcessStats, Random } from "@gatewright/ports";
import { addProcessMetrics } from "@gatewright/telemetry";
import type { Log } from "@gatewright/telemetry";
import { fileSource } from "../configuration/files/file-source.ts";
import type { FileConfiguration } from "../configuration/files/file-configuration.ts";
import type { GivenObject } from "../configuration/objects.ts";
import type { GatewaySettings } from "../configuration/settings/gateway-settings.ts";
import { followOperator } from "../control/follow-operator.ts";
import type { GatewayIdentity, GatewayNumbers } from "../control/gateway-status.ts";
import { stickySecretOf } from "../gateway.ts";
import type { BoundListener } from "../listeners/listeners.ts";
import { serveAdmin } from "../observability/admin.ts";
import { GATEWAY_METRICS } from "../observability/metric-definitions.ts";
import { Fleet } from "../workers/fleet.ts";
import type { FleetParts } from "../workers/fleet.ts";
import { keptSet } from "./kept-set.ts";
import { linesFile } from "./lines-file.ts";
import { ListeningAsSet } from "./listening-as-set.ts";
import { ObjectSets } from "./object-sets.ts";
import { operatorCredentials } from "./operator-credentials.ts";
import type { OperatorMaterial } from "./operator-credentials.ts";
import { restartNeeded } from "./restart-needed.ts";
import { servePushes } from "./serve-pushes.ts";
import { ProblemLog } from "./problem-log.ts";
import { ToldOnce } from "./told-once.ts";
import { tracerOf } from "./tracer-of.ts";
import type { Environment } from "./tracer-of.ts";
import { watchedGateway } from "./watched-gateway.ts";

/** What a gateway runs with. */
export interface RunOptions {
  /** The file with its settings, which is followed; or settings and objects that stay as they are. */
  readonly from: string | { readonly settings: GatewaySettings; readonly objects: readonly GivenObject[] };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Takes whole lines of the access log where the settings name no file. */
  readonly write: (lines: string) => void;
  readonly stats: ProcessStats;
  readonly env: Environment;
  /** Of this program, for operators. */
  readonly version: string;
  /** How many serve, whatever the settings say. */
  readonly workers?: number | undefined;
  /** What the operator is dialled with, in place of the files that the settings name. */
  readonly operatorMaterial?: (signal: AbortSignal) => Promise<OperatorMaterial>;
  /** Starts a thread. Default: of this package's sources. */
  readonly spawn?: FleetParts["spawn"];
}

/** A gateway that runs. */
export interface RunningGateway {
  readonly listeners: readonly BoundListener[];
  /** Undefined: there is none. */
  readonly adminPort: number | undefined;
  readonly configurationPort: number | undefined;
  /** Looks at the files now. Resolves when what they said is live everywhere. */
  reload(): Promise<void>;
  /** Accepts nothing more, lets requests finish within `limits.drainTimeout`, keeps what has to be kept, and ends. Twice is once. */
  close(): Promise<void>;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

const FLUSH_MS = 2000;

/**
 * Runs a gateway until the signal aborts, or it is closed: reads and follows its files, follows its operator, takes what is pushed,
 * serves, and tells about itself. Rejects when its settings cannot be read, or it can listen nowhere. Objects have three givers: files,
 * the operator, and pushes; of the same name, they count in that order, and no giver changes another's.
 */
export async function runGateway(options: RunOptions, signal: AbortSignal): Promise<RunningGateway> {
  await using starting = new AsyncDisposableStack();
  const { clock, random, log, env } = options;
  const ending = new AbortController();
  starting.defer(() => ending.abort());
  const problems = new ProblemLog(log);
  /** What is done with files that change; nothing while the gateway is put together, which looks at them itself. */
  const reading: { changed: (configuration: FileConfiguration) => void } = { changed() {} };
  const source = await sourceOf(options, (configuration) => reading.changed(configuration), ending.signal);
  let known = source.current.settings;
  const started = withWorkers(known, options.workers);
  let settings = started;
  const needed = new ToldOnce();
  const { operator, configurationServer, stateDirectory } = settings;

  let isConfigured = operator === undefined && configurationServer === undefined;
  let isDraining = false;
  const configured = (): boolean => isConfigured;
  const nowConfigured = (): void => {
    if (isConfigured) return;
    isConfigured = true;
    fleet.configured();
    log.info("The first whole configuration is live");
  };

  const tracer = tracerOf(settings, env, { clock, random, log });
  starting.defer(async () => {
    using limit = deadline(clock, FLUSH_MS);
    await tracer?.flush(limit.signal);
  });
  const file = settings.accessLog.file === undefined ? undefined : linesFile(settings.accessLog.file, log);
  starting.defer(() => file?.end());
  const write = (lines: string): void => (file === undefined ? options.write(lines) : file.write(lines));
  const { workers } = settings;
  const stickySecret = stickySecretOf(settings, random);
  const first = watchedGateway(settings, {
    clock,
    random,
    log,
    tracer,
    write,
    configured,
    stickySecret,
    workers,
    isWorker: false,
  });
  starting.defer(() => first.flush());
  addProcessMetrics(first.metrics, options.stats);
  const fleet = new Fleet(first, settings, {
    clock,
    log,
    write,
    workers,
    stickySecret,
    env,
    configured,
    ...(options.spawn !== undefined && { spawn: options.spawn }),
  });
  const sets = new ObjectSets(
    {
      change(set, removed) {
        const findings = fleet.change(set, removed);
        problems.objects(set, removed, findings);
        return findings;
      },
    },
    ["files", "the operator", "pushes"],
  );
  const listening = new ListeningAsSet(fleet, { clock, log }, ending.signal);

  const admin = settings.admin.enabled
    ? await serveAdmin(settings.admin.address, settings.admin.port, {
        gateway: first.gateway,
        findings: () => [...first.gateway.findings(), ...sets.hidden()],
        exposition: settings.metrics.enabled ? (accept) => fleet.exposition(accept) : undefined,
        workers: () => fleet.workers(),
        notReady: () => {
          if (isDraining) return "is about to end";
          return isConfigured ? undefined : "waits for its first configuration";
        },
        fault: (error) => log.error("A request to the admin endpoint failed by a fault of the gateway", { error }),
      })
    : undefined;
  starting.defer(() => admin?.close());

  const files = sets.of("files");
  reading.changed = (configuration) => {
    problems.files(configuration.problems);
    files.replace(configuration.objects);
    if (configuration.settings === known) return;
    known = configuration.settings;
    settings = withWorkers(known, options.workers);
    for (const name of needed.fresh("settings", restartNeeded(started, settings), String))
      log.warn("A setting has changed that takes effect with the next start", { setting: name });
    listening.apply(settings);
  };
  reading.changed(source.current);

  const kept = { clock, log };
  const [fromOperator, pushed] = [
    await keptSet(
      sets.of("the operator"),
      { ...kept, directory: stateDirectory, changed: (what) => what === "all" && nowConfigured() },
      signal,
    ),
    await keptSet(
      sets.of("pushes"),
      {
        ...kept,
        directory: stateDirectory && join(stateDirectory, "pushed"),
        changed: () => operator === undefined && nowConfigured(),
      },
      signal,
    ),
  ];
  starting.defer(async () => {
    await fromOperator.flush();
    await pushed.flush();
  });
  if (operator === undefined ? pushed.isRestored : fromOperator.isRestored) isConfigured = true;

  starting.defer(() => fleet.close(settings.limits.drainTimeoutMs, new AbortController().signal));
  await listening.begin(settings);
  await fleet.start();

  const startedAt = clock.monotonic();
  const about = {
    identity: identityOf(settings, options),
    everywhere: () => fleet.everywhere(),
    numbers: (): GatewayNumbers => {
      const { connections, requestsPerSecond, errorRate } = fleet.numbers();
      const memoryBytes = options.stats.memory().residentBytes;
      const uptimeMs = clock.monotonic() - startedAt;
      return { activeConnections: connections, requestsPerSecond, errorRate, memoryBytes, uptimeMs };
    },
  };
  const server =
    configurationServer &&
    (await servePushes(configurationServer, { ...about, target: pushed.target }, { clock, log }, ending.signal));
  starting.defer(() => server?.close());
  const followed = operator && first.metrics.gauge(GATEWAY_METRICS.following);
  followed?.set(0);
  const following =
    operator &&
    followOperator(
      {
        ...about,
        following: (isFollowing) => followed?.set(isFollowing ? 1 : 0),
        address: operator.address,
        namespaces: operator.namespaces ?? [],
        credentials: () => operatorCredentials(operator, options.operatorMaterial, ending.signal),
        serverName: operator.tls.serverName,
        target: fromOperator.target,
        clock,
        random,
        log: (level, message, fields) => log[level](message, fields),
      },
      ending.signal,
    );
  starting.defer(async () => {
    ending.abort();
    source.close();
    await following;
  });

  const { promise: ended, resolve: hasEnded } = Promise.withResolvers<void>();
  const endings = starting.move();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    isDraining = true;
    closing ??= endings.disposeAsync().then(hasEnded);
    return closing;
  };
  signal.addEventListener("abort", () => void close(), { once: true });
  if (signal.aborted) await close();
  return {
    get listeners() {
      return first.gateway.bound;
    },
    adminPort: admin?.port,
    configurationPort: server?.port,
    async reload() {
      await source.reload();
      await listening.settled();
      await fleet.everywhere();
    },
    close,
    ended,
  };
}

interface Source {
  readonly current: FileConfiguration;
  reload(): Promise<void>;
  close(): void;
}

async function sourceOf(
  { from, clock }: RunOptions,
  changed: (configuration: FileConfiguration) => void,
  signal: AbortSignal,
): Promise<Source> {
  if (typeof from === "string") return fileSource(from, { clock, changed }, signal);
  return { current: { ...from, problems: [] }, reload: () => Promise.resolve(), close() {} };
}

function withWorkers(settings: GatewaySettings, workers: number | undefined): GatewaySettings {
  return workers === undefined || workers === settings.workers ? settings : { ...settings, workers };
}

/** Who the gateway is to its operator; where it runs, as Kubernetes' usual variables say it. */
function identityOf({ name, operator }: GatewaySettings, { env, version }: RunOptions): GatewayIdentity {
  const podName = env["POD_NAME"];
  const nodeName = env["NODE_NAME"];
  return {
    name: operator?.name ?? name,
    namespace: operator?.namespace ?? "default",
    version,
    ...(podName !== undefined && { podName }),
    ...(nodeName !== undefined && { nodeName }),
  };
}
