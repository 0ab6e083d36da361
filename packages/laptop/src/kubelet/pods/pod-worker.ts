import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Clock, Random } from "@gatewright/ports";
import type { EventNote } from "@gatewright/runtime";
import { ContainerLog } from "../../containers/container-log.ts";
import type { Container, ContainerExit, ContainerRuntime } from "../../containers/container-runtime.ts";
import { ImageError } from "../../containers/image-error.ts";
import type { Address, PodPorts } from "../../network/cluster-network.ts";
import { probeContainer } from "../probes/probe-container.ts";
import type { ProbeKind } from "../probes/probe-container.ts";
import type { ProbeTarget } from "../probes/probe-target.ts";
import { ConfigError } from "./config-error.ts";
import type { ConfigSource } from "./config-source.ts";
import { stepContainer } from "./container-run.ts";
import type { ContainerInput } from "./container-run.ts";
import { containerSpec } from "./container-spec.ts";
import type { Whereabouts } from "./downward-fields.ts";
import { notes } from "./notes.ts";
import { OpenPorts } from "./open-ports.ts";
import { graceSeconds, runOf } from "./pod-run.ts";
import type { PodRun } from "./pod-run.ts";
import { preStop } from "./pre-stop.ts";

type Pod = Immutable<core.Pod>;
type Spec = Immutable<core.Container>;

export interface PodWorkerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly runtimes: readonly ContainerRuntime[];
  readonly ports: PodPorts;
  readonly where: Whereabouts;
  /** Something has happened that the pod's status does not tell yet. */
  readonly changed: () => void;
}

/** A container that was started and has not ended. */
interface Live {
  readonly container: Container;
  readonly target: ProbeTarget;
  readonly probing: AbortController;
}

/** What a container wrote, now and before its last restart. */
interface Logs {
  readonly current: ContainerLog;
  readonly previous: ContainerLog | undefined;
}

const CONFIG_RETRY_MS = 5_000;

/** Runs the containers of one pod. Nothing begins before `start`, and nothing is left after `destroy`. */
export class PodWorker {
  readonly #options: PodWorkerOptions;
  readonly #live = new Map<string, Live>();
  readonly #starting = new Map<string, AbortController>();
  /** When containers that were asked to end must have, on the monotonic clock. */
  readonly #ends = new Map<string, number>();
  readonly #logs = new Map<string, Logs>();
  readonly #ports: OpenPorts;
  #notes: EventNote[] = [];
  #run: PodRun;
  #destroyed = false;

  constructor(run: PodRun, options: PodWorkerOptions) {
    this.#run = run;
    this.#options = options;
    this.#ports = new OpenPorts(options.ports, run.ip);
  }

  get run(): PodRun {
    return this.#run;
  }

  note(...added: readonly EventNote[]): void {
    this.#notes.push(...added);
  }

  /** Events that are to be told; each is given once. */
  takeNotes(): readonly EventNote[] {
    const taken = this.#notes;
    this.#notes = [];
    return taken;
  }

  /** The pod is to end, for a reason of the kubelet's own. */
  fail(reason: string, message: string): void {
    this.#run = { ...this.#run, failure: { reason, message } };
  }

  logsOf(container: string): Logs | undefined {
    return this.#logs.get(container);
  }

  addressOf(port: number): Address | undefined {
    return this.#ports.get(port);
  }

  /**
   * Starts a container. Resolves when it runs or could not be started; where an image takes its time, as soon as that has begun. What
   * comes later is told by `changed`.
   */
  async start(pod: Pod, spec: Spec, source: ConfigSource): Promise<void> {
    const { clock, runtimes } = this.#options;
    const { name, image = "" } = spec;
    this.#step(name, { kind: "starting" });
    const log = new ContainerLog(clock);
    const restarts = runOf(this.#run, name).restarts;
    let made: Awaited<ReturnType<typeof containerSpec>>;
    try {
      made = await containerSpec(pod, spec, this.#options.where, source);
    } catch (error) {
      if (!(error instanceof ConfigError)) {
        this.#step(name, {
          kind: "held",
          at: clock.now(),
          reason: "CreateContainerConfigError",
          message: messageOf(error),
          retryMs: CONFIG_RETRY_MS,
        });
        throw error;
      }
      this.#holdFor(name, error);
      return;
    }
    const runtime = runtimes.find((candidate) => candidate.accepts(image));
    if (runtime === undefined) throw new TypeError(`no runtime takes image ${image}`);
    const aborting = new AbortController();
    this.#starting.set(name, aborting);
    const opened = (port: number, address: Address): void => this.#ports.open(name, port, address);
    const begun = runtime
      .start({ ...made, restarts, log, opened }, aborting.signal)
      .then((container) => this.#started(pod, spec, container, log))
      .catch((error: unknown) => this.#startFailed(spec, error, log));
    if (runtime.pulls) void begun.then(this.#options.changed);
    else await begun;
  }

  /** Asks a container to end, within the time that the pod has left. Told by `changed`. */
  stop(pod: Pod, spec: Spec, graceMs = 1000 * graceSeconds(pod)): void {
    this.#starting.get(spec.name)?.abort(new Error("the pod is going"));
    if (!this.#live.has(spec.name)) return;
    this.note(notes.killing(spec));
    void this.#end(spec.name, graceMs);
  }

  /** Containers that are ending have no more than this left: a pod may be deleted again, with less time. */
  hurry(graceMs: number): void {
    const end = this.#options.clock.monotonic() + graceMs;
    for (const [name, { container }] of this.#live) {
      const before = this.#ends.get(name);
      // The server tells moments in whole seconds, so what differs by less is the same.
      if (before === undefined || end > before - 2000) continue;
      this.#ends.set(name, end);
      void container.stop(graceMs);
    }
  }

  /** Kills everything. Resolves when nothing is left. */
  async destroy(graceMs = 0): Promise<void> {
    this.#destroyed = true;
    for (const aborting of this.#starting.values()) aborting.abort(new Error("the pod is gone"));
    await Promise.all(
      Array.from(this.#live.values(), async ({ container, probing }) => {
        probing.abort();
        await container.stop(graceMs);
      }),
    );
    this.#ports.closeAll();
  }

  #step(name: string, input: ContainerInput): void {
    const before = runOf(this.#run, name);
    const after = stepContainer(before, input);
    if (after !== before) this.#run = { ...this.#run, containers: new Map(this.#run.containers).set(name, after) };
  }

  #holdFor(name: string, error: ConfigError): void {
    const at = this.#options.clock.now();
    if (error.code === "FailedMount") {
      this.#step(name, { kind: "held", at, reason: "ContainerCreating", retryMs: CONFIG_RETRY_MS });
      this.note(notes.failedMount(error.message));
    } else {
      this.#step(name, { kind: "held", at, reason: error.code, message: error.message, retryMs: CONFIG_RETRY_MS });
      this.note(notes.failed(error.message));
    }
  }

  #started(pod: Pod, spec: Spec, container: Container, log: ContainerLog): void {
    const { clock, random } = this.#options;
    const { name } = spec;
    this.#starting.delete(name);
    if (this.#destroyed) {
      void container.stop(0);
      return;
    }
    this.#logs.set(name, { current: log, previous: this.#logs.get(name)?.current });
    const { simulated } = container;
    const { startupProbe, readinessProbe } = spec;
    const probed = {
      startup: !simulated && startupProbe !== undefined,
      readiness: !simulated && readinessProbe !== undefined,
    };
    const containerID = `gatewright://${Buffer.from(random.bytes(32)).toString("hex")}`;
    this.note(simulated ? notes.simulated(spec) : notes.present(spec), notes.created(spec), notes.started(spec));
    this.#step(name, { kind: "started", at: clock.now(), containerID, image: spec.image ?? "", simulated, probed });
    const addressOf = (port: number): Address | undefined => this.addressOf(port);
    const target: ProbeTarget = { podIP: this.#run.ip, spec, container, addressOf };
    const probing = new AbortController();
    this.#live.set(name, { container, target, probing });
    if (!simulated) void this.#probe(pod, spec, target, probing.signal);
    void container.exited.then((exit) => this.#exited(pod, spec, exit, log));
  }

  #startFailed(spec: Spec, error: unknown, log: ContainerLog): void {
    const { clock } = this.#options;
    const at = clock.now();
    const aborted = this.#starting.get(spec.name)?.signal.aborted === true;
    this.#starting.delete(spec.name);
    log.end();
    if (aborted) {
      this.#step(spec.name, { kind: "exited", at, exitCode: 137, reason: "Error" });
    } else if (error instanceof ImageError && error.code === "ErrImagePull") {
      this.note(...notes.pullFailed(spec, error.message));
      this.#step(spec.name, { kind: "pullFailed", at, message: error.message });
    } else if (error instanceof ImageError) {
      this.note(...notes.invalidImage(error.message));
      this.#step(spec.name, { kind: "held", at, reason: error.code, message: error.message });
    } else {
      const message = messageOf(error);
      this.note(notes.failed(message));
      this.#step(spec.name, { kind: "held", at, reason: "RunContainerError", message, retryMs: 2 * CONFIG_RETRY_MS });
    }
  }

  #exited(pod: Pod, spec: Spec, exit: ContainerExit, log: ContainerLog): void {
    this.#live.get(spec.name)?.probing.abort();
    this.#live.delete(spec.name);
    this.#ends.delete(spec.name);
    log.end();
    this.#ports.close(spec.name);
    this.#step(spec.name, { kind: "exited", at: this.#options.clock.now(), ...exit });
    const { state } = runOf(this.#run, spec.name);
    if (state.kind === "ended" && state.backOffMs > 0 && !this.#destroyed) this.note(notes.backOff(pod, spec));
    this.#options.changed();
  }

  /** The hook first, in the same time. */
  async #end(name: string, graceMs: number): Promise<void> {
    const live = this.#live.get(name);
    if (live === undefined) return;
    const { clock } = this.#options;
    this.#step(name, { kind: "stopping" });
    const end = clock.monotonic() + graceMs;
    this.#ends.set(name, end);
    const hook = await preStop(live.target, clock, graceMs);
    if (!hook.ok) this.note(notes.preStopFailed(hook.output));
    await live.container.stop(Math.max(0, end - clock.monotonic()));
  }

  async #probe(pod: Pod, spec: Spec, target: ProbeTarget, signal: AbortSignal): Promise<void> {
    const { clock, changed } = this.#options;
    const { name } = spec;
    const unhealthy = (kind: ProbeKind): void => {
      const probe = kind === "Startup" ? spec.startupProbe : spec.livenessProbe;
      this.note(notes.killingUnhealthy(spec, kind));
      void this.#end(name, 1000 * (probe?.terminationGracePeriodSeconds ?? graceSeconds(pod)));
    };
    await probeContainer(
      target,
      {
        verdict: (kind, ok) => {
          if (kind === "Readiness") this.#step(name, { kind: "probed", ready: ok });
          else if (!ok) unhealthy(kind);
          else if (kind === "Startup") {
            this.#step(name, { kind: "probed", started: true, ready: spec.readinessProbe === undefined });
          }
          changed();
        },
        failed: (kind, output) => {
          this.note(notes.unhealthy(kind, output));
          changed();
        },
      },
      clock,
      signal,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
