import { createHttpSend, staticCredentials } from "@gatewright/aws";
import { infra } from "@gatewright/infra";
import { systemRandom } from "@gatewright/ports";
import { createManager } from "@gatewright/runtime";
import type { Transport } from "@gatewright/runtime";
import { quickClock } from "./quick-clock.ts";

/** Polls and intervals are of minutes, and nobody wants to wait for them; calls must still be in time. */
const TIMES = 20;

/** Our operator for AWS resources, at the given API server and AWS. Ends when it is disposed. */
export function startOperator(transport: Transport, endpoint: string): AsyncDisposable {
  const stopping = new AbortController();
  const http = createHttpSend();
  const clock = quickClock(TIMES);
  const manager = createManager({ name: "gatewright", transport, clock });
  const { providers, resources } = infra({
    clock,
    random: systemRandom,
    endpoint,
    credentials: staticCredentials({ accessKeyId: "test", secretAccessKey: "test" }),
    send: http.send,
    tenantSend: () => Promise.reject(new Error("there is nothing")),
    gate: () => manager.gate.check(),
    settings: { cluster: "tour" },
  });
  manager.add(providers);
  for (const controller of resources) manager.add(controller);
  const running = manager.run(stopping.signal);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
      http.close();
    },
  };
}
