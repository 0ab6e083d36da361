import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { groupVersionPath } from "@gatewright/kube";
import { core } from "@gatewright/kube/api";
import { startLaptop } from "@gatewright/laptop";
import { keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { createClient } from "@gatewright/runtime";
import type { Client } from "@gatewright/runtime";
import { parseAllDocuments } from "yaml";
import { EXAMPLE_KINDS } from "../tools/example-kinds.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The local world with its console, where a browser finds it. */
export interface ConsoleWorld extends AsyncDisposable {
  readonly url: string;
  readonly client: Client;
  /** What went wrong in it, as its log tells. */
  readonly faults: readonly string[];
  /** Server-side apply of all objects in a text, as `kubectl apply` does it. */
  apply(yaml: string): Promise<void>;
  /** Objects of a file in `examples/`. */
  example(name: string): Promise<void>;
  /** A token of a service account of the namespace `shop`. */
  token(account: string): Promise<string>;
}

export async function consoleWorld(): Promise<ConsoleWorld> {
  const alive = keepAlive();
  const faults: string[] = [];
  const laptop = await startLaptop({
    clock: systemClock,
    random: systemRandom,
    log: (level, message, fields) => level === "error" && faults.push(inspect({ message, ...fields })),
    cloud: { api: { port: 0 }, dns: { port: 0 } },
    gateway: { port: 0 },
    console: { root: ROOT },
    zones: new Map([["A1231313", "opendi.com"]]),
  });
  const listener = await laptop.server.listen({ host: "127.0.0.1", port: 0 });
  const request = laptop.server.transport();
  const client = createClient(request, { fieldManager: "test" });

  const apply = async (yaml: string): Promise<void> => {
    for (const document of parseAllDocuments(yaml)) {
      const object = document.toJS() as {
        apiVersion: string;
        kind: string;
        metadata: { name: string; namespace?: string };
      };
      const group = object.apiVersion.includes("/") ? object.apiVersion.split("/")[0] : "";
      const kind = EXAMPLE_KINDS.find((each) => each.kind === object.kind && each.group === group);
      if (kind === undefined) throw new Error(`the test knows no ${object.kind}`);
      const version = object.apiVersion.split("/").at(-1) ?? "";
      const namespace = kind.namespaced ? `/namespaces/${object.metadata.namespace ?? "default"}` : "";
      const path = `${groupVersionPath({ group: kind.group, version })}${namespace}/${kind.plural}/${object.metadata.name}`;
      const answer = await request({
        method: "PATCH",
        path: `${path}?fieldManager=test&force=true`,
        headers: { "content-type": "application/apply-patch+yaml" },
        body: JSON.stringify(object),
      });
      let text = "";
      for await (const chunk of answer.body) text += chunk.toString();
      if (answer.status >= 300) throw new Error(`${path}: ${text}`);
    }
  };
  return {
    url: listener.url,
    client,
    faults,
    apply,
    example: (name) => apply(readFileSync(join(ROOT, "examples", `${name}.yaml`), "utf8")),
    async token(account) {
      await client.for(core.ServiceAccount).apply({ metadata: { namespace: "shop", name: account } });
      const made = await client
        .for(core.ServiceAccount)
        .subresource<{ status?: { token?: string } }>("token")
        .create(
          { namespace: "shop", name: account },
          { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: {}, spec: {} },
        );
      return made.status?.token ?? "";
    },
    async [Symbol.asyncDispose]() {
      await listener.close();
      await laptop.close();
      alive[Symbol.dispose]();
    },
  };
}
