import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { NodeAccess } from "@gatewright/apiserver";
import { badRequest } from "@gatewright/kube";
import { runOf } from "./pods/pod-run.ts";
import type { ContainerRun } from "./pods/container-run.ts";
import type { PodWorker } from "./pods/pod-worker.ts";

/** Nothing listens at a port of a pod. */
export class ConnectionRefusedError extends Error {
  readonly code = "ECONNREFUSED";

  constructor(pod: string, port: number) {
    super(`dial tcp ${pod}:${port}: connect: connection refused`);
    this.name = "ConnectionRefusedError";
  }
}

/** The way to the containers of pods, for the API server: logs and connections. */
export function nodeAccess(workerOf: (uid: string) => PodWorker | undefined): NodeAccess {
  return {
    async logs(pod, container, options, signal) {
      const worker = workerOf(pod.uid);
      const logs = worker?.logsOf(container);
      const log = options.previous ? logs?.previous : logs?.current;
      if (log !== undefined) return log.read(options, signal);
      if (worker === undefined) {
        throw badRequest(`container "${container}" in pod "${pod.name}" is not available: what it wrote is not kept`);
      }
      if (options.previous) {
        throw badRequest(`previous terminated container "${container}" in pod "${pod.name}" not found`);
      }
      throw badRequest(
        `container "${container}" in pod "${pod.name}" is waiting to start: ${waitsFor(runOf(worker.run, container))}`,
      );
    },
    async connect({ uid, name }, port, signal) {
      const worker = workerOf(uid);
      const address = worker?.addressOf(port);
      if (address === undefined) throw new ConnectionRefusedError(worker?.run.ip ?? name, port);
      return new Promise<Duplex>((resolve, reject) => {
        const socket = connect({ ...address, signal });
        socket.once("connect", () => {
          socket.off("error", reject);
          resolve(socket);
        });
        socket.once("error", reject);
      });
    },
  };
}

function waitsFor({ state }: ContainerRun): string {
  if (state.kind !== "held") return "ContainerCreating";
  if (state.reason === "ErrImagePull") return "trying and failing to pull image";
  return state.reason === "InvalidImageName" ? "image can't be pulled" : state.reason;
}
