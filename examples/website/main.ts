import { hostname } from "node:os";
import { apiextensions, core } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { runOperator } from "@gatewright/runtime";
import { websites } from "./controller.ts";
import { DIRECTORY } from "./directory.ts";
import { Website } from "./website.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());

await runOperator(
  {
    name: "website-controller",
    lease: { namespace: DIRECTORY, name: "website-controller", identity: `${hostname()}_${process.pid}` },
    health: { host: "127.0.0.1", port: 8081 },
    log: { format: "text" },
  },
  async (manager) => {
    await manager.ungated.for(apiextensions.CustomResourceDefinition).apply(crdOf(Website));
    await manager.ungated.for(core.Namespace).apply({ metadata: { name: DIRECTORY } });
    manager.add(websites());
  },
  stopping.signal,
);
