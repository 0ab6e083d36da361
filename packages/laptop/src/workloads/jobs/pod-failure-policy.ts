import type { Immutable } from "@gatewright/kube";
import type { batch, core } from "@gatewright/kube/api";

type Pod = Immutable<core.Pod>;
type Rule = Immutable<batch.PodFailurePolicyRule>;

/** What a Job's policy makes of a pod that failed. */
export interface FailureVerdict {
  readonly action: "Count" | "Ignore" | "FailJob" | "FailIndex";
  /** Why the whole Job fails by it. */
  readonly message?: string;
}

const COUNT: FailureVerdict = { action: "Count" };

/** The first rule that matches decides; without one the failure counts. */
export function judgeFailure(policy: Immutable<batch.PodFailurePolicy> | undefined, pod: Pod): FailureVerdict {
  for (const [at, rule] of (policy?.rules ?? []).entries()) {
    const what = matched(rule, pod);
    if (what === undefined) continue;
    const action = actionOf(rule);
    return action === "FailJob" ? { action, message: `${what} matching FailJob rule at index ${at}` } : { action };
  }
  return COUNT;
}

function actionOf({ action }: Rule): FailureVerdict["action"] {
  return action === "Ignore" || action === "FailJob" || action === "FailIndex" ? action : "Count";
}

function matched({ onExitCodes, onPodConditions }: Rule, { metadata, status }: Pod): string | undefined {
  const pod = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    const containers = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
    for (const { name, state } of containers) {
      const exitCode = state?.terminated?.exitCode ?? 0;
      if (exitCode === 0 || (containerName !== undefined && containerName !== name)) continue;
      if (values.includes(exitCode) === (operator === "In")) {
        return `Container ${name} for pod ${pod} failed with exit code ${exitCode}`;
      }
    }
    return undefined;
  }
  const condition = status?.conditions?.find(({ type, status }) =>
    onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? "True") === status),
  );
  return condition === undefined ? undefined : `Pod ${pod} has condition ${condition.type}`;
}
