/** Group and version of the kinds that stand for AWS resources. */
export const INFRA_GROUP = { group: "aws-infra-operator.runner.codes", version: "v1alpha1" } as const;
