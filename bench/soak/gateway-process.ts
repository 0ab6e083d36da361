import { ServerCredentials } from "@grpc/grpc-js";
import { Gateway, readSettings, serveConfiguration } from "@gatewright/gateway";
import { systemClock, systemRandom } from "@gatewright/ports";

/** A gateway that is configured by pushes, and tells its ports. Its faults are counted: there must be none. */
const { settings } = readSettings(
  {
    apiVersion: "gateway.avapigw.io/v1",
    kind: "Gateway",
    metadata: { name: "soak" },
    spec: { listeners: [{ name: "http", address: "127.0.0.1", port: 0, protocol: "HTTP" }] },
  },
  "/soak.yaml",
);
let faults = 0;
const gateway = new Gateway(settings, {
  clock: systemClock,
  random: systemRandom,
  observer: {
    started() {},
    ended() {},
    fault(where, error) {
      faults++;
      console.error(where, error);
    },
  },
  fault: (error) => console.error(error),
});
const numbers = () => ({
  activeConnections: gateway.bound.reduce((sum, { connections }) => sum + connections, 0),
  requestsPerSecond: 0,
  errorRate: faults,
  memoryBytes: process.memoryUsage.rss(),
  uptimeMs: 0,
});
await gateway.listen(settings, new AbortController().signal);
const server = await serveConfiguration({
  address: "127.0.0.1",
  port: 0,
  credentials: ServerCredentials.createInsecure(),
  target: gateway,
  identity: { name: "soak", namespace: "default", version: "0" },
  numbers,
});
process.send?.({ http: gateway.bound[0]?.port, configuration: server.port });
process.on("disconnect", () => process.exit());
