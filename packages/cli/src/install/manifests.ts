import { formatYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import {
  AWS_PARTS,
  iamCharacters,
  installation,
  MOST_IAM_CHARACTERS,
  operatorIam,
  SECTIONS,
} from "@gatewright/operator";
import type { InstallSettings, Section } from "@gatewright/operator";
import { readFlagsAlone } from "../cluster/read-flags.ts";
import { UsageError } from "../usage-error.ts";
import { INSTALL_HELP, INSTALL_OPTIONS, installSettings } from "./install-options.ts";

const HELP = `Usage: gatewright manifests [OPTIONS]

Prints what a cluster needs before the operator runs there, for the parts chosen: to be read, kept, and applied.

  gatewright manifests --parts routing,applications | kubectl apply --server-side -f -
  gatewright manifests --only iam --parts hostnames --cluster-name prod-1 --zone Z0123456789ABC > policy.json

  --only LIST                some of ${SECTIONS.join(", ")}; or iam: the policy of the operator's role in AWS,
                             which is in none of the others
  -o, --output FORMAT        yaml or json; yaml without it
${INSTALL_HELP}`;

const FLAGS = {
  ...INSTALL_OPTIONS,
  only: { type: "string", multiple: true },
  output: { type: "string", short: "o" },
  help: { type: "boolean", short: "h" },
} as const;

interface ManifestsOptions {
  readonly settings: InstallSettings;
  readonly only: readonly Section[] | "iam";
  readonly output: "yaml" | "json";
}

/** Prints what to apply to a cluster, or to attach to a role. Asks nobody. */
export async function manifests(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  process.stdout.write(options === "help" ? HELP : written(options));
  return 0;
}

function written({ settings, only, output }: ManifestsOptions): string {
  if (only === "iam") return `${JSON.stringify(policyOf(settings), undefined, 2)}\n`;
  const sections = installation(settings);
  const objects = only.flatMap((section) => sections[section]) as unknown as readonly Json[];
  if (output === "json") return `${JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, undefined, 2)}\n`;
  return objects.map((object) => formatYaml(object)).join("---\n");
}

function policyOf(settings: InstallSettings): object {
  const policy = operatorIam(settings);
  const size = iamCharacters(policy);
  if (size > MOST_IAM_CHARACTERS)
    throw new UsageError(
      `the policy has ${size} characters, and IAM takes ${MOST_IAM_CHARACTERS}: print one for each part (--parts hostnames, then --parts infra) and attach both`,
    );
  return policy;
}

function readOptions(args: readonly string[]): ManifestsOptions | "help" {
  const { values } = readFlagsAlone(args, FLAGS, HELP);
  if (values.help === true) return "help";
  const output = (["yaml", "json"] as const).find((format) => format === (values.output ?? "yaml"));
  if (output === undefined) throw new UsageError("--output is one of yaml, json");
  const settings = installSettings(values);
  const only = onlyOf((values.only ?? [SECTIONS.join(",")]).join(","));
  if (only === "iam") checkAws(settings, values["cluster-name"]);
  return { settings, only, output };
}

function onlyOf(text: string): ManifestsOptions["only"] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names.includes("iam")) {
    if (names.length > 1) throw new UsageError("--only iam stands alone: a policy is attached in AWS, not applied");
    return "iam";
  }
  const unknown = names.find((name) => !(SECTIONS as readonly string[]).includes(name));
  if (unknown !== undefined || names.length === 0)
    throw new UsageError(`--only is some of ${SECTIONS.join(", ")}, or iam, not ${JSON.stringify(unknown ?? "")}`);
  return SECTIONS.filter((section) => names.includes(section));
}

function checkAws({ parts }: InstallSettings, cluster: string | undefined): void {
  if (!AWS_PARTS.some((part) => parts.includes(part)))
    throw new UsageError(`${parts.join(" and ")} call nothing of AWS: there is no policy to attach`);
  if (cluster === undefined)
    throw new UsageError("--only iam needs --cluster-name: what it may delete is what carries that name");
}
