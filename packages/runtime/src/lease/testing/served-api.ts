import { parentPort } from "node:worker_threads";
import { createApiServer } from "@gatewright/apiserver";

/** An API server on a thread of its own, for tests that block theirs. Tells its address, and runs until it is terminated. */
if (parentPort !== null) {
  const server = await createApiServer();
  const listener = await server.listen({ host: "127.0.0.1", port: 0 });
  parentPort.postMessage(listener.url, []);
}
