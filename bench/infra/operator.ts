import { createHttpSend, staticCredentials } from "@gatewright/aws";
import { infra } from "@gatewright/infra";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { createManager, createTransport } from "@gatewright/runtime";

/** The operator of AWS resources as a process of its own: `node operator.ts KUBERNETES_URL AWS_URL KEY_ID SECRET`. */
const [server = "", endpoint = "", accessKeyId = "", secretAccessKey = ""] = process.argv.slice(2);
const ports = { clock: systemClock, random: systemRandom };
using _alive = keepAlive();
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const { send } = createHttpSend();
const manager = createManager({
  name: "gatewright",
  transport: createTransport({ server, namespace: "default", origin: "bench" }),
  ...ports,
});
const { providers, resources } = infra({
  ...ports,
  send,
  tenantSend: send,
  endpoint,
  credentials: staticCredentials({ accessKeyId, secretAccessKey }),
  settings: { cluster: "bench" },
});
manager.add(providers);
for (const controller of resources) manager.add(controller);
await manager.run(stopping.signal);
