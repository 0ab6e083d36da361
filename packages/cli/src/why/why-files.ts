import { clientReader, kindsNamed, whyRefused } from "@gatewright/explain";
import type { Answer } from "@gatewright/explain";
import type { ApiObject, KubeObject, Resource } from "@gatewright/kube";
import { systemClock } from "@gatewright/ports";
import { EXIT } from "../cluster/exit-codes.ts";
import { machineText } from "../cluster/output-format.ts";
import type { OutputFormat } from "../cluster/output-format.ts";
import type { LookedAt } from "../cluster/with-cluster.ts";
import { readManifests } from "../read-manifests.ts";
import { clean } from "../screen/columns.ts";
import type { Paint } from "../screen/paint.ts";
import { dryRun } from "./dry-run.ts";
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
  let skipped = 0;
  for (const written of readManifests(files)) {
    const skip = (why: string): void => {
      skipped++;
      process.stderr.write(`${clean(`${written.kind} ${written.metadata.name}: ${why}`)}; skipped\n`);
    };
    const resource = resourceOf(written);
    if (resource === undefined) {
      skip("of a kind that why does not know");
      continue;
    }
    const object = within(written, resource, namespace ?? usual);
    const outcome = await dryRun(client, resource, object, signal);
    if (outcome.state === "no kind") {
      skip(`the API server has no such kind (${outcome.message})`);
      continue;
    }
    const refusal = outcome.state === "refused" ? outcome.refusal : undefined;
    answers.push(await whyRefused(reader, resource, object, refusal, { now: systemClock.now(), signal }));
  }
  if (answers.length === 0) process.stderr.write("gatewright why: the files have nothing to ask about\n");
  const now = systemClock.now();
  const text =
    format === "json" || format === "yaml"
      ? machineText(answers, format)
      : answers.map((answer) => whyText(answer, { paint, now, wide: format === "wide" })).join("\n");
  process.stdout.write(text);
  return exitOfFiles(answers, skipped);
}

/** Files are fine only if something of them was asked about, and everything. */
export function exitOfFiles(answers: readonly Pick<Answer, "state">[], skipped: number): number {
  if (answers.some(({ state }) => state !== "ok")) return EXIT.notLive;
  return skipped > 0 || answers.length === 0 ? EXIT.unknown : EXIT.ok;
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
