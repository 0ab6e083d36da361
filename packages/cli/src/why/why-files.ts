import { clientReader, kindsNamed, whyRefused } from "@gatewright/explain";
import type { Answer, Refusal } from "@gatewright/explain";
import { StatusError } from "@gatewright/kube";
import type { ApiObject, KubeObject, Resource } from "@gatewright/kube";
import { systemClock } from "@gatewright/ports";
import { EXIT } from "../cluster/exit-codes.ts";
import { machineText } from "../cluster/output-format.ts";
import type { OutputFormat } from "../cluster/output-format.ts";
import type { LookedAt } from "../cluster/with-cluster.ts";
import { readManifests } from "../read-manifests.ts";
import type { Paint } from "../screen/paint.ts";
import { whyText } from "./why-text.ts";

interface Manner {
  readonly format: OutputFormat;
  readonly paint: Paint;
}

/** Would the API server take the objects of these files? Asked by dry runs: nothing is stored. */
export async function whyFiles(
  { client, namespace: usual, signal }: LookedAt,
  files: readonly string[],
  namespace: string | undefined,
  { format, paint }: Manner,
): Promise<number> {
  const reader = clientReader(client);
  const answers: Answer[] = [];
  for (const written of readManifests(files)) {
    const resource = resourceOf(written);
    if (resource === undefined) {
      process.stderr.write(`${written.kind} ${written.metadata.name}: of a kind that why does not know; skipped\n`);
      continue;
    }
    const object = within(written, resource, namespace ?? usual);
    let refusal: Refusal | undefined;
    try {
      await client.for(resource).apply(object as never, { dryRun: true, signal });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      refusal = { code: error.code, message: error.message };
    }
    answers.push(await whyRefused(reader, resource, object, refusal, { now: systemClock.now(), signal }));
  }
  if (answers.length === 0) process.stderr.write("gatewright why: the files have nothing to ask about\n");
  const now = systemClock.now();
  const text =
    format === "json" || format === "yaml"
      ? machineText(answers, format)
      : answers.map((answer) => whyText(answer, { paint, now, wide: format === "wide" })).join("\n");
  process.stdout.write(text);
  return answers.every(({ state }) => state === "ok") ? EXIT.ok : EXIT.notLive;
}

function resourceOf({ apiVersion, kind }: KubeObject): Resource | undefined {
  return kindsNamed(kind)
    .map(({ resource }) => resource)
    .find((each) => apiVersion === (each.group === "" ? each.version : `${each.group}/${each.version}`));
}

function within(object: KubeObject, { namespaced }: Resource, namespace: string): ApiObject {
  const { metadata } = object;
  const placed = namespaced && metadata.namespace === undefined ? { ...metadata, namespace } : metadata;
  return { ...object, metadata: placed };
}
