import type { ResourceDefinition } from "@gatewright/kube/define";
import { allResources } from "@gatewright/resources";
import type { Part } from "../part.ts";

const GROUPS: Readonly<Record<Part, string>> = {
  hostnames: "gateway.opendi.com",
  infra: "aws-infra-operator.runner.codes",
  routing: "avapigw.io",
  applications: "cloudnative.elide.dev",
};

/** The kinds of ours that a part looks after, by name. */
export function kindsOfPart(part: Part): readonly ResourceDefinition[] {
  return allResources
    .filter(({ group }) => group === GROUPS[part])
    .toSorted((one, other) => (one.plural < other.plural ? -1 : 1));
}
