import { core, apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { createManager, loadTransport } from "@gatewright/runtime";
import { websites } from "./controller.ts";
import { DIRECTORY } from "./directory.ts";
import { Website } from "./website.ts";

/** Runs the controller on the cluster that kubectl would use. */
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stopping.abort());

const { transport } = await loadTransport();
const manager = createManager({
  name: "website-controller",
  transport,
  lease: { namespace: DIRECTORY, name: "website-controller", identity: `${process.pid}` },
});
const { signal } = stopping;
await manager.ungated.for(apiextensions.CustomResourceDefinition).apply(crdOf(Website), { signal });
await manager.ungated.for(core.Namespace).apply({ metadata: { name: DIRECTORY } }, { signal });
manager.add(websites);
console.log("looking after websites; try: kubectl apply -f examples/website/sample.yaml");
await manager.run(signal);
