import { exactlyOneOf, s } from "@gatewright/kube/define";

const arn = (description: string) => s.string({ description, minLength: 20, maxLength: 2048, pattern: "^arn:" });

const common = {
  id: s
    .string({ description: "Name of the entry. Default: by its place in the list.", minLength: 1, maxLength: 255 })
    .optional(),
  events: s.array(s.string({ maxLength: 64, pattern: "^s3:[A-Za-z:*]+$" }), {
    description: "What is told, such as s3:ObjectCreated:*.",
    minItems: 1,
    maxItems: 30,
    listType: "set",
  }),
  filterPrefix: s.string({ description: "Only of objects whose keys begin so.", maxLength: 1024 }).optional(),
  filterSuffix: s.string({ description: "Only of objects whose keys end so.", maxLength: 1024 }).optional(),
} as const;

/** Who is told of what happens to objects. */
export const notificationConfiguration = s
  .object(
    {
      queues: s
        .array(
          s.object(
            {
              ...common,
              queueARN: arn("ARN of the queue.").optional(),
              queueRef: s.localReference({ description: "The SQSQueue, in the same namespace." }).optional(),
            },
            { rules: [exactlyOneOf("queueARN", "queueRef")] },
          ),
          { description: "Queues of SQS. Their policies must let S3 send.", maxItems: 100 },
        )
        .optional(),
      topics: s
        .array(
          s.object(
            {
              ...common,
              topicARN: arn("ARN of the topic.").optional(),
              topicRef: s.localReference({ description: "The SNSTopic, in the same namespace." }).optional(),
            },
            { rules: [exactlyOneOf("topicARN", "topicRef")] },
          ),
          { description: "Topics of SNS. Their policies must let S3 publish.", maxItems: 100 },
        )
        .optional(),
      lambdaFunctions: s
        .array(s.object({ ...common, functionARN: arn("ARN of the function.") }), {
          description: "Lambda functions. Their policies must let S3 invoke them.",
          maxItems: 100,
        })
        .optional(),
      eventBridge: s.boolean({ description: "Whether all events go to EventBridge." }).optional(),
    },
    { description: "Who is told of what happens to objects. It is all that the bucket has: entries of others go." },
  )
  .optional();
