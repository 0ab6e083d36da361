import { connect } from "node:net";
import type { LookupFunction } from "node:net";
import type { HealthCheck } from "./health-checker.ts";

/** Whether a connection comes about. Nothing is sent. */
export function tcpCheck(host: string, port: number, lookup: LookupFunction | undefined): HealthCheck {
  return (signal) => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const socket = connect({ host, port, ...(lookup !== undefined && { lookup }) });
    const end = (passed: boolean): void => {
      signal.removeEventListener("abort", giveUp);
      socket.destroy();
      resolve(passed);
    };
    const giveUp = (): void => end(false);
    signal.addEventListener("abort", giveUp, { once: true });
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    if (signal.aborted) giveUp();
    return promise;
  };
}
