import type { Operations } from "@gatewright/aws-wire/types/ecr";
import { policyStatements } from "../policies/policy-statements.ts";
import { isNamedWell, principalsOf } from "../policies/principals.ts";
import type { Handlers } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { checkLifecyclePolicy, lifecyclePolicyKept } from "./lifecycle-policy.ts";
import type { RepositoryRecord } from "./records.ts";
import { invalidParameter, noLifecyclePolicy, noPolicy } from "./refusals.ts";
import type { EcrStore } from "./store.ts";

/** Policies of repositories: on who may use them, and on what is to go from them. They are kept and judged, not enforced. */
export function policyOperations({ clock }: AwsWorld, store: EcrStore): Handlers<Operations> {
  const named = ({ account, name }: RepositoryRecord) => ({ registryId: account, repositoryName: name });
  return {
    SetRepositoryPolicy: async (input, context) => {
      const repository = store.repository(context, input);
      checkRepositoryPolicy(input.policyText);
      await store.put({ ...repository, policy: input.policyText });
      return { ...named(repository), policyText: input.policyText };
    },
    GetRepositoryPolicy: (input, context) => {
      const repository = store.repository(context, input);
      if (repository.policy === undefined) throw noPolicy(repository);
      return { ...named(repository), policyText: repository.policy };
    },
    DeleteRepositoryPolicy: async (input, context) => {
      const repository = store.repository(context, input);
      if (repository.policy === undefined) throw noPolicy(repository);
      await store.put({ ...repository, policy: undefined });
      return { ...named(repository), policyText: repository.policy };
    },

    PutLifecyclePolicy: async (input, context) => {
      const repository = store.repository(context, input);
      checkLifecyclePolicy(input.lifecyclePolicyText);
      const text = lifecyclePolicyKept(input.lifecyclePolicyText);
      await store.put({ ...repository, lifecycle: { text, evaluatedAt: clock.now() } });
      return { ...named(repository), lifecyclePolicyText: text };
    },
    GetLifecyclePolicy: (input, context) => {
      const repository = store.repository(context, input);
      return { ...named(repository), ...lifecycleOf(repository) };
    },
    DeleteLifecyclePolicy: async (input, context) => {
      const repository = store.repository(context, input);
      const told = lifecycleOf(repository);
      await store.put({ ...repository, lifecycle: undefined });
      return { ...named(repository), ...told };
    },
  };
}

function lifecycleOf(repository: RepositoryRecord): {
  readonly lifecyclePolicyText: string;
  readonly lastEvaluatedAt: number;
} {
  const { lifecycle } = repository;
  if (lifecycle === undefined) throw noLifecyclePolicy(repository);
  return { lifecyclePolicyText: lifecycle.text, lastEvaluatedAt: lifecycle.evaluatedAt };
}

/** Such policies say who and what; the repository that they are on is meant by itself. */
function checkRepositoryPolicy(text: string): void {
  const statements = policyStatements(text);
  const sound =
    typeof statements !== "string" &&
    statements.every((statement) => {
      const principals = principalsOf(statement);
      const named = principals !== undefined && principals.length > 0 && principals.every(isNamedWell);
      return named && !statement.has("Resource") && !statement.has("NotResource");
    });
  if (!sound) throw invalidParameter("PolicyText", "Invalid repository policy provided");
}
