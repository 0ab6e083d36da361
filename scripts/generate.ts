import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { generateApi } from "./generate-api.ts";
import { generateAws } from "./generate-aws.ts";
import { generateBuiltinTable } from "./generate-builtin.ts";
import { generateCharts } from "./generate-charts.ts";
import { generateGatewaySettings } from "./generate-gateway-settings.ts";
import { generateGatewayWire } from "./generate-gateway-wire.ts";
import { generateIam } from "./generate-iam.ts";
import { generateInfraPages } from "./generate-infra-pages.ts";
import { generateKustomize } from "./generate-kustomize.ts";
import { generateObservability } from "./generate-observability.ts";
import { generateOperatorPage } from "./generate-operator-page.ts";
import { generatePolicies } from "./generate-policies.ts";
import { generateRbac } from "./generate-rbac.ts";
import { generateResources } from "./generate-resources.ts";
import { generateTroubleshooting } from "./generate-troubleshooting.ts";
import { generateWebhooks } from "./generate-webhooks.ts";

/** What a generator gives: the text of one committed file, or why it could not be made here. */
export type Generated =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly skipped: string };

const generators: readonly (() => Promise<readonly Generated[]>)[] = [
  async () => [await generateBuiltinTable()],
  generateApi,
  generateAws,
  generateGatewayWire,
  generateGatewaySettings,
  generateResources,
  generateRbac,
  generateIam,
  generateInfraPages,
  generatePolicies,
  generateWebhooks,
  generateObservability,
  generateOperatorPage,
  generateTroubleshooting,
  generateCharts,
  generateKustomize,
];

/** Folders with nothing but generated files: what is no longer made is removed from them. */
const wholeFolders: readonly string[] = [
  "packages/kube/src/api",
  "config/crd",
  "config/rbac",
  "config/rbac/parts",
  "config/iam",
  "config/policy",
  "config/samples",
  "config/webhook",
  "charts/gatewright/files/dashboards",
  "charts/gatewright/files/rules",
  "charts/gatewright-crds/files/applications",
  "charts/gatewright-crds/files/hostnames",
  "charts/gatewright-crds/files/infra",
  "charts/gatewright-crds/files/routing",
  "charts/gatewright-gateway/files/dashboards",
  "charts/gatewright-gateway/files/rules",
  "config/all",
  "config/default",
  "config/observability/dashboards",
  "config/observability/rule-objects",
  "config/observability/rules",
  "docs/reference",
];

const root = resolve(import.meta.dirname, "..");
const check = process.argv.includes("--check");
const all = (await Promise.all(generators.map((generator) => generator()))).flat();
for (const made of all) {
  if ("skipped" in made) {
    console.log(`${made.file}: skipped, ${made.skipped}`);
    continue;
  }
  const path = resolve(root, made.file);
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before === made.text) {
    console.log(`${made.file}: up to date`);
  } else if (check) {
    console.error(`${made.file}: out of date; run \`npm run generate\` and commit the result`);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, made.text);
    console.log(`${made.file}: written, ${made.text.length} bytes`);
  }
}

for (const folder of wholeFolders) {
  const ours = all.filter(({ file }) => file === folder || dirname(file) === folder);
  if (ours.some((made) => "skipped" in made)) continue;
  const names = await readdir(resolve(root, folder)).catch((): string[] => []); // no folder until something is made for it
  for (const name of names) {
    const file = `${folder}/${name}`;
    if (wholeFolders.includes(file)) continue;
    if (name.endsWith(".test.ts") || ours.some((made) => made.file === file)) continue;
    if (check) {
      console.error(`${file}: nothing makes it any more; run \`npm run generate\` and commit the result`);
      process.exitCode = 1;
    } else {
      await rm(resolve(root, file));
      console.log(`${file}: removed`);
    }
  }
}
