import type { Subject } from "./answer.ts";

/** Commands for people to paste. */
export const kubectl = {
  describe: (subject: Subject): string => `kubectl describe ${named(subject)}`,
  get: (subject: Subject): string => `kubectl get ${named(subject)} -o yaml`,
  edit: (subject: Subject): string => `kubectl edit ${named(subject)}`,
  logs: (namespace: string, pod: string, container: string, previous: boolean): string =>
    `kubectl logs -n ${namespace} ${pod} -c ${container}${previous ? " --previous" : ""}`,
  scale: (namespace: string, kind: string, name: string): string =>
    `kubectl scale -n ${namespace} ${kind.toLowerCase()}/${name} --replicas=1`,
  /** `attempt`: `list pods in namespace shop`. */
  canI: (attempt: string): string =>
    `kubectl auth can-i ${attempt.replace(" in namespace ", " -n ").replace(" in all namespaces", " -A")}`,
  labels: (namespace: string, what: string): string => `kubectl get ${what} -n ${namespace} --show-labels`,
  why: (subject: Subject): string => `gatewright why ${named(subject)}`,
} as const;

function named({ apiVersion, kind, namespace, name }: Subject): string {
  const where = namespace === undefined ? "" : `-n ${namespace} `;
  return `${where}${kind.toLowerCase()}${groupOf(apiVersion, kind)}/${name}`;
}

/** The one kind name that two groups have. */
function groupOf(apiVersion: string, kind: string): string {
  return kind === "GRPCRoute" || kind === "Gateway" ? `.${apiVersion.slice(0, apiVersion.indexOf("/"))}` : "";
}
