import type { Address } from "../network/cluster-network.ts";
import type { ContainerLog } from "./container-log.ts";

/** A file that a container sees, from a volume. */
export interface ContainerFile {
  readonly data: Uint8Array;
  readonly mode: number;
  /** From a Secret: its content is shown to nobody. */
  readonly secret: boolean;
}

/** The pod that a container belongs to. */
export interface PodOfContainer {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly ip: string;
}

/** All that a runtime needs to start one container. Variables are expanded, references are resolved. */
export interface ContainerSpec {
  readonly pod: PodOfContainer;
  readonly name: string;
  readonly image: string;
  /** How often it was started before. */
  readonly restarts: number;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  /** Names of variables whose values come from Secrets, wholly or in part. */
  readonly secretEnv: ReadonlySet<string>;
  /** TCP ports that the container declares. */
  readonly ports: readonly number[];
  /** By absolute path. */
  readonly files: ReadonlyMap<string, ContainerFile>;
  /** Whether the container is there to end by itself: of a Job, or one that prepares the pod. */
  readonly ends: boolean;
  /** Called whenever the container begins to listen at a port of the pod. */
  readonly opened: (port: number, address: Address) => void;
  readonly log: ContainerLog;
}

/** How a container ended. */
export interface ContainerExit {
  readonly exitCode: number;
  /** `Completed`, `Error`, or what a runtime has to say. */
  readonly reason: string;
  readonly message?: string;
}

/** A container that was started. */
export interface Container {
  /** Never rejects. */
  readonly exited: Promise<ContainerExit>;
  /** Nothing really runs, so no port answers and there is nothing to probe. */
  readonly simulated: boolean;
  /**
   * Asks the container to end, and kills it after `graceMs`. Resolves when it has ended. A second call can only shorten the time.
   * With 0 it is killed at once.
   */
  stop(graceMs: number): Promise<void>;
  /** Runs a command beside the container; only where there are real processes. */
  exec?(
    command: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly exitCode: number; readonly output: string }>;
}

/** What runs containers of some images. */
export interface ContainerRuntime {
  /** Whether it is the one for this image. */
  accepts(image: string): boolean;
  /** Whether images are fetched first, which takes a while; others are there from the beginning and start at once. */
  readonly pulls: boolean;
  /**
   * Starts a container. Rejects with `ImageError` when the image cannot be had, and with the signal's reason when it aborts, in which
   * case nothing runs. The signal is for the start alone: a container that runs is ended by `stop`.
   */
  start(spec: ContainerSpec, signal: AbortSignal): Promise<Container>;
}
