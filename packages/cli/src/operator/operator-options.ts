import { parseArgs } from "node:util";
import type { ParseArgsOptionsConfig } from "node:util";
import { AWS_PARTS, PARTS } from "@gatewright/operator";
import type { Part, PartSettings } from "@gatewright/operator";
import { UsageError } from "../usage-error.ts";
import { consoleOptions } from "./console-options.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { FlagValues } from "./flag-values.ts";
import { hostnameOptions } from "./hostname-options.ts";
import { infraOptions } from "./infra-options.ts";
import { OPERATOR_FLAGS, OPERATOR_HELP } from "./operator-flags.ts";
import type { OperatorFlag } from "./operator-flags.ts";
import { routingOptions } from "./routing-options.ts";

/** What flags of the operator say. */
export type OperatorValues = FlagValues<OperatorFlag>;

/** What `gatewright operator` runs with. */
export interface OperatorOptions extends Omit<PartSettings, "replica"> {
  readonly kube: { readonly kubeconfig?: string; readonly context?: string };
  readonly health: { readonly host?: string; readonly port: number };
  readonly metrics: { readonly host?: string; readonly port: number } | undefined;
  readonly console: ConsoleOptions | undefined;
  readonly leads: boolean;
  readonly lease: string;
  readonly log: { readonly level: "debug" | "info" | "warn" | "error"; readonly format: "json" | "text" };
}

/** Reads the command line and the environment. Throws a {@link UsageError} that says what to write. */
export function readOperatorOptions(args: readonly string[], env: NodeJS.ProcessEnv): OperatorOptions | "help" {
  const given = parsed(args);
  if (given["help"] === true) return "help";
  const values = new FlagValues(OPERATOR_FLAGS, given, env);
  const { kubeconfig, context } = given;
  const parts = partsOf(values);
  return {
    parts,
    namespace: values.text("namespace"),
    kube: {
      ...(typeof kubeconfig === "string" && { kubeconfig }),
      ...(typeof context === "string" && { context }),
    },
    health: values.address("health-probe-bind-address"),
    metrics: values.addressOrNone("metrics-bind-address"),
    console: consoleOptions(values),
    leads: values.truth("leader-elect"),
    lease: values.text("leader-election-id"),
    log: {
      level: values.oneOf("log-level", ["debug", "info", "warn", "error"]),
      format: values.oneOf("log-format", ["json", "text"]),
    },
    ...awsOptions(values, parts, env),
    hostnames: hostnameOptions(values),
    infra: parts.includes("infra") ? infraOptions(values) : {},
    routing: routingOptions(values),
  };
}

function parsed(args: readonly string[]): Readonly<Record<string, unknown>> {
  const config: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const name of [...Object.keys(OPERATOR_FLAGS), "kubeconfig", "context"]) config[name] = { type: "string" };
  try {
    return parseArgs({ args: [...args], options: config }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${OPERATOR_HELP}`);
  }
}

function partsOf(values: OperatorValues): readonly Part[] {
  const parts = values.list("parts").map((part) => values.oneOf("parts", PARTS, part));
  if (parts.length === 0) throw new UsageError(`--parts is some of ${PARTS.join(", ")}`);
  return [...new Set(parts)];
}

function awsOptions(
  values: OperatorValues,
  parts: readonly Part[],
  env: NodeJS.ProcessEnv,
): Pick<PartSettings, "cluster" | "aws"> {
  const region = values.optional("aws-region") ?? env["AWS_DEFAULT_REGION"];
  const cluster = values.text("cluster-name");
  const [user] = AWS_PARTS.filter((part) => parts.includes(part));
  if (user !== undefined && cluster === "")
    throw new UsageError(
      `${user} needs --cluster-name: what it makes in AWS is known by it, so that each cluster of an account has another`,
    );
  if (parts.includes("hostnames") && region === undefined)
    throw new UsageError("hostnames needs --aws-region (AWS_REGION): where certificates and load balancers are");
  const endpoint = values.optional("aws-endpoint-url");
  if (endpoint !== undefined && !/^https?:$/u.test(URL.parse(endpoint)?.protocol ?? ""))
    throw new UsageError(`--aws-endpoint-url needs an http or https URL, not ${JSON.stringify(endpoint)}`);
  return { cluster, aws: { region, endpoint, otherRegions: values.list("other-regions") } };
}
