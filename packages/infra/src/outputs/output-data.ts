import { isDNS1123Subdomain } from "@gatewright/kube";
import type { Immutable } from "@gatewright/kube";
import type { Managed } from "../engine/aws-kind.ts";
import { render } from "./template.ts";

type Target = NonNullable<Immutable<Managed>["spec"]["writeOutputsTo"]>;

/** Keys and texts for a Secret or ConfigMap, or why there are none. */
export type OutputData = { readonly data: Readonly<Record<string, string>> } | { readonly problem: string };

/**
 * What is written for the users of a resource: the templates of the spec, or every output under its own name. `secret` ones never get
 * into a ConfigMap.
 */
export function outputData(
  { kind, name, data }: Target,
  outputs: Readonly<Record<string, string>>,
  secret: ReadonlySet<string>,
): OutputData {
  // The schema refuses it, but older objects may say so.
  if (isDNS1123Subdomain(name).length > 0) return { problem: `writeOutputsTo.name: nothing can be called ${name}` };
  const told = Object.entries(outputs).filter(([name]) => kind === "Secret" || !secret.has(name));
  if (data === undefined) return { data: Object.fromEntries(told) };
  const values = new Map(told);
  const texts: [string, string][] = [];
  for (const [key, template] of Object.entries(data)) {
    const rendered = render(template, values);
    if ("problem" in rendered) {
      const hidden = [...secret].some((name) => !values.has(name) && template.includes(`\${${name}}`));
      const advice = hidden ? " What is secret only goes to a Secret." : "";
      return { problem: `writeOutputsTo.data: ${key} ${rendered.problem}${advice}` };
    }
    texts.push([key, rendered.text]);
  }
  return { data: Object.fromEntries(texts) };
}
