import { applications } from "@gatewright/applications";
import { createManager, loadTransport } from "@gatewright/runtime";

/** The controller of Applications in a process of its own, as it runs beside a cluster. */
const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const { transport } = await loadTransport();
const manager = createManager({ name: "gatewright", transport });
manager.add(applications());
await manager.run(stopping.signal);
transport.close();
