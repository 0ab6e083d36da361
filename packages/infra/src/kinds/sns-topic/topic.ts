/** What is read of a topic. */
export interface Topic {
  readonly name: string;
  readonly arn: string;
  /** As SNS tells them: all of them texts. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  /** Read where the spec has or had some. */
  readonly subscriptions: readonly Subscription[] | undefined;
}

/** A subscription, as SNS has it. */
export interface Subscription {
  readonly protocol: string;
  readonly endpoint: string;
  /** Undefined while nobody confirmed it: then nothing else is known of it. */
  readonly arn: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

/** An attribute; undefined when it is not set. */
export function attributeOf(
  { attributes }: { readonly attributes: Readonly<Record<string, string>> },
  name: string,
): string | undefined {
  const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return value === "" ? undefined : value;
}

export function isFifo(name: string): boolean {
  return name.endsWith(".fifo");
}

/** The policy that SNS gives a topic, and that it has again when nobody declares one. */
export function defaultPolicy(arn: string): string {
  const actions =
    "GetTopicAttributes SetTopicAttributes AddPermission RemovePermission DeleteTopic Subscribe ListSubscriptionsByTopic Publish";
  return JSON.stringify({
    Version: "2008-10-17",
    Id: "__default_policy_ID",
    Statement: [
      {
        Sid: "__default_statement_ID",
        Effect: "Allow",
        Principal: { AWS: "*" },
        Action: actions.split(" ").map((name) => `SNS:${name}`),
        Resource: arn,
        Condition: { StringEquals: { "AWS:SourceOwner": arn.split(":")[4] ?? "" } },
      },
    ],
  });
}
