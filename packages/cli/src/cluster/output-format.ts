import { formatYaml } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { UsageError } from "../usage-error.ts";

export type OutputFormat = "text" | "wide" | "json" | "yaml";

const FORMATS: readonly OutputFormat[] = ["text", "wide", "json", "yaml"];

/** The format that `-o` names. */
export function outputFormat(given: string | undefined): OutputFormat {
  const found = FORMATS.find((format) => format === (given ?? "text"));
  if (found === undefined) throw new UsageError(`-o is one of wide, json, yaml, not ${JSON.stringify(given)}`);
  return found;
}

/** A value for programs. It is one of JSON: absent fields are absent. */
export function machineText(value: unknown, format: "json" | "yaml"): string {
  return format === "json" ? `${JSON.stringify(value, undefined, 2)}\n` : formatYaml(value as Json);
}
