import type { ServiceName } from "@gatewright/aws";
import { iamActions } from "./iam-actions.ts";

/** An operation of a service that the operator calls. */
export interface CalledOperation {
  readonly service: ServiceName;
  readonly operation: string;
}

interface Statement {
  readonly Sid: string;
  readonly Effect: "Allow";
  readonly Action: readonly string[];
  readonly Resource: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A policy in AWS's own form. */
export interface KindPolicy {
  readonly Version: "2012-10-17";
  readonly Statement: readonly Statement[];
}

/** Services in which rights can depend on the tags of what is deleted. */
const BY_TAG: ReadonlySet<string> = new Set(["sqs", "rds", "ec2", "dynamodb", "sns", "secretsmanager", "ecr", "iam"]);
const DELETES = /:(?:Delete(?:Queue|DBInstance|Table|Topic|Secret|Repository|Role)|TerminateInstances)$/;

/** Secrets that RDS keeps passwords in; its own kind makes those of any name. */
const RDS_SECRETS = "arn:*:secretsmanager:*:*:secret:rds!*";

/**
 * The rights that a kind needs: those of the calls that its code makes, and no others. What destroys a resource is only allowed on
 * those that carry this cluster's tag, where the service can tell. What a service makes for itself is only allowed as it names it.
 */
export function kindPolicy(operations: readonly CalledOperation[], cluster: string): KindPolicy {
  const actions = [
    ...new Set(operations.flatMap(({ service, operation }) => iamActions(service, operation))),
  ].toSorted();
  const owned = actions.filter((action) => DELETES.test(action) && BY_TAG.has(action.split(":")[0] ?? ""));
  const handed: readonly string[] = actions.filter((action) => action === "iam:PassRole");
  const linked = actions.filter((action) => action === "iam:CreateServiceLinkedRole");
  const called = new Set(operations.map(({ service }) => service));
  const secrets = actions.filter((action) => action.startsWith("secretsmanager:") && !called.has("secretsmanager"));
  const apart = new Set([...owned, ...handed, ...linked, ...secrets]);
  const free = actions.filter((action) => !apart.has(action));
  const statements: Statement[] = [{ Sid: "Use", Effect: "Allow", Action: free, Resource: "*" }];
  if (owned.length > 0) {
    const condition = { StringEquals: { "aws:ResourceTag/gatewright.dev/cluster": cluster } };
    statements.push({ Sid: "DeleteOwn", Effect: "Allow", Action: owned, Resource: "*", Condition: condition });
  }
  if (handed.length > 0) {
    const services = [
      "ec2.amazonaws.com",
      "monitoring.rds.amazonaws.com",
      "rds.amazonaws.com",
      "s3.amazonaws.com",
      "sns.amazonaws.com",
    ];
    // The role of an instance profile is EC2's to use.
    const users = new Set(operations.map(({ service }) => (service === "iam" ? "ec2" : service)));
    const used = services.filter((each) => [...users].some((user) => each.includes(user)));
    statements.push(
      ...used.map((each, index): Statement => ({
        Sid: `HandRoleOver${index === 0 ? "" : index + 1}`,
        Effect: "Allow",
        Action: handed,
        Resource: "*",
        Condition: { StringEquals: { "iam:PassedToService": each } },
      })),
    );
  }
  if (secrets.length > 0) {
    statements.push({ Sid: "KeepPasswords", Effect: "Allow", Action: secrets, Resource: RDS_SECRETS });
  }
  if (linked.length > 0) {
    const condition = { StringEquals: { "iam:AWSServiceName": "rds.amazonaws.com" } };
    statements.push({ Sid: "FirstDatabase", Effect: "Allow", Action: linked, Resource: "*", Condition: condition });
  }
  return { Version: "2012-10-17", Statement: statements };
}
