import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { ServiceName } from "@gatewright/aws-wire";
import type { CalledOperation } from "@gatewright/infra";
import { hiddenClients } from "./hidden-clients.ts";

const FOLDER = "packages/infra/src/kinds";
const MODELS = "packages/aws-wire/src/models";

/** What is called for every kind: finding resources by their tags, asking who we are. */
const ALWAYS: readonly CalledOperation[] = [
  { service: "sts", operation: "GetCallerIdentity" },
  { service: "tagging", operation: "GetResources" },
];

/** The operations that the code of each kind calls, by the folder of the kind: read from its sources. */
export function calledOperations(): ReadonlyMap<string, readonly CalledOperation[]> {
  const services = globSync(`${MODELS}/*.json`).map((file) => basename(file, ".json"));
  const known = new Map(
    services.map((service) => [
      service,
      new Set(Object.keys(JSON.parse(readFileSync(`${MODELS}/${service}.json`, "utf8")).operations)),
    ]),
  );
  const called = new RegExp(String.raw`\b(${services.join("|")})\s*\.\s*([a-z]\w+)`, "g");
  const kinds = new Map<string, Map<string, CalledOperation>>();
  for (const file of globSync(`${FOLDER}/*/**/*.ts`).toSorted()) {
    const kind = file.slice(FOLDER.length + 1).split("/")[0] ?? dirname(file);
    if (kind === "testing" || file.endsWith(".test.ts")) continue;
    const source = readFileSync(file, "utf8");
    const [hidden] = hiddenClients(source, services);
    if (hidden !== undefined) {
      throw new Error(
        `${file}: ${hidden}: the rights that this takes are not seen. Call it as aws.service.operation(…).`,
      );
    }
    const found = kinds.get(kind) ?? new Map(ALWAYS.map((each) => [`${each.service} ${each.operation}`, each]));
    kinds.set(kind, found);
    for (const [, service = "", name = ""] of source.matchAll(called)) {
      const operation = name.charAt(0).toUpperCase() + name.slice(1);
      if (!known.get(service)?.has(operation)) continue;
      found.set(`${service} ${operation}`, { service: service as ServiceName, operation });
    }
  }
  return new Map(Array.from(kinds, ([kind, found]) => [kind, [...found.values()]]));
}
