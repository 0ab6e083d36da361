import { createHash } from "node:crypto";
import type { Immutable } from "@gatewright/kube";
import type { core } from "@gatewright/kube/api";
import type { Application } from "@gatewright/resources";
import type { Applied } from "@gatewright/runtime";
import { homeOf, labelsOf } from "./names.ts";

/** Long enough that two configs of one Application never share it. */
const HASH_LENGTH = 10;

/**
 * The ConfigMap with an Application's config, if it has any. Its name tells what it holds and it never changes: pods of an older
 * spec keep the config that they were started with, and another config is another pod template, which replaces the pods.
 */
export function configMap(app: Immutable<Application>): Applied<core.ConfigMap> | undefined {
  const entries = Object.entries(app.spec.config ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return undefined;
  const hash = createHash("sha256").update(JSON.stringify(entries)).digest("hex").slice(0, HASH_LENGTH);
  const name = `${homeOf(app).name}-config-${hash}`;
  return { metadata: { name, labels: labelsOf(app) }, immutable: true, data: Object.fromEntries(entries) };
}
