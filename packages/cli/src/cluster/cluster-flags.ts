import { isDNS1123Label } from "@gatewright/kube";
import { UsageError } from "../usage-error.ts";

/** Flags of every command that talks to a cluster, for `parseArgs`. */
export const CLUSTER_FLAGS = {
  kubeconfig: { type: "string" },
  context: { type: "string" },
} as const;

/** What `--help` says of them. */
export const CLUSTER_HELP = `  --kubeconfig FILE     default: as kubectl finds it, by KUBECONFIG (one file or a list) or ~/.kube/config
  --context NAME        default: the current one
`;

/** Which cluster is meant, as transports take it. */
export interface ChosenCluster {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** What the flags say. */
export function chosenCluster(values: {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}): ChosenCluster {
  const { kubeconfig, context } = values;
  return { ...(kubeconfig !== undefined && { kubeconfig }), ...(context !== undefined && { context }) };
}

/** The namespace that `-n` names, if it is given. */
export function chosenNamespace(given: string | undefined): string | undefined {
  if (given === undefined || isDNS1123Label(given).length === 0) return given;
  throw new UsageError(`-n takes the name of a namespace, not ${JSON.stringify(given)}`);
}
