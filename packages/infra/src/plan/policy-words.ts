import { getPath } from "@gatewright/kube";
import type { Resource } from "@gatewright/kube";
import { allResources } from "@gatewright/resources";

/** What a `deletionPolicy` of a kind comes to, as its definition says it to users: `it goes, with its messages`. */
export function policyWords({ group, kind }: Resource, policy: string): string | undefined {
  const definition = allResources.find((each) => each.group === group && each.kind === kind);
  const schema = definition?.versions[0]?.schema;
  const path = ["properties", "spec", "properties", "deletionPolicy", "description"];
  const description = schema === undefined ? undefined : getPath(schema, ...path);
  if (typeof description !== "string") return undefined;
  const from = description.indexOf(` ${policy}: `);
  if (from < 0) return undefined;
  const words = description.slice(from + policy.length + 3);
  const end = words.search(/\.(?: |$)/);
  return end < 0 ? words : words.slice(0, end);
}
