import { connect } from "node:net";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import { probeGrpc } from "./grpc-probe.ts";
import { probeHttp } from "./http-probe.ts";
import { portNumber, refused } from "./probe-target.ts";
import type { ProbeResult, ProbeTarget } from "./probe-target.ts";

/** Something to ask of a container: a probe, or a hook. */
export type ProbeAction = Pick<Immutable<core.Probe>, "httpGet" | "tcpSocket" | "exec" | "grpc">;

/** Probes a container once. Never rejects; an abort of the signal is a failure by timeout. */
export async function runProbe(action: ProbeAction, target: ProbeTarget, signal: AbortSignal): Promise<ProbeResult> {
  if (action.httpGet !== undefined) return probeHttp(action.httpGet, target, signal);
  if (action.tcpSocket !== undefined) return probeTcp(action.tcpSocket, target, signal);
  if (action.grpc !== undefined) return probeGrpc(action.grpc, target, signal);
  return probeExec(action.exec?.command ?? [], target, signal);
}

async function probeTcp(
  action: Immutable<core.TCPSocketAction>,
  target: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const port = portNumber(target, action.port);
  if (port === undefined) return { ok: false, output: `couldn't find port: ${action.port} in the container` };
  const address = target.addressOf(port);
  if (address === undefined) return { ok: false, output: refused(target, port) };
  return new Promise((resolve) => {
    const socket = connect({ ...address, signal });
    socket.once("connect", () => {
      socket.destroy();
      resolve({ ok: true });
    });
    socket.once("error", () =>
      resolve({ ok: false, output: signal.aborted ? timeout(target, port) : refused(target, port) }),
    );
  });
}

function timeout({ podIP }: ProbeTarget, port: number): string {
  return `dial tcp ${podIP}:${port}: i/o timeout`;
}

async function probeExec(
  command: readonly string[],
  { container }: ProbeTarget,
  signal: AbortSignal,
): Promise<ProbeResult> {
  if (container.exec === undefined) {
    return { ok: false, output: "no command can be run beside this container: it is not a process of its own" };
  }
  try {
    const { exitCode, output } = await container.exec(command, signal);
    return exitCode === 0 ? { ok: true } : { ok: false, output };
  } catch (error) {
    return { ok: false, output: error instanceof Error ? error.message : String(error) };
  }
}
