import { uuid } from "@gatewright/ports";
import type { NotificationConfigurationFilter, Operations } from "@gatewright/aws-wire/types/s3";
import type { Handlers } from "../service.ts";
import { bucketFor } from "./bucket-access.ts";
import type { Ground } from "./ground.ts";
import { invalidArgument } from "./refusals.ts";

const EVENT =
  /^s3:(ReducedRedundancyLostObject|Object(Created|Removed|Restore|Tagging|Acl)(:(\*|[A-Za-z]+))?|Replication(:(\*|[A-Za-z]+))|LifecycleTransition|LifecycleExpiration(:(\*|[A-Za-z]+))|IntelligentTiering|ObjectAcl:Put)$/;

interface Target {
  readonly Id?: string | undefined;
  readonly Events: readonly string[];
  readonly Filter?: NotificationConfigurationFilter | undefined;
}

/** Where S3 would tell of changes. It is kept and told; nothing is sent. Destinations are judged by their ARN alone. */
export function notificationConfiguration(ground: Ground): Handlers<Operations> {
  const { store, world } = ground;
  const named = <T extends Target>(targets: readonly T[] | undefined, kind: string, arnOf: (target: T) => string) =>
    targets?.map((target) => {
      if (!new RegExp(`^arn:aws[a-z-]*:${kind}:[a-z0-9-]+:\\d{12}:.+$`).test(arnOf(target))) {
        throw invalidArgument("The ARN is not well formed", arnOf(target));
      }
      checkTarget(target);
      return target.Id === undefined ? { ...target, Id: uuid(world.random) } : target;
    });
  return {
    GetBucketNotificationConfiguration(input, context) {
      return bucketFor(ground, input, context).notification ?? {};
    },
    async PutBucketNotificationConfiguration(input, context) {
      const bucket = bucketFor(ground, input, context);
      const wanted = input.NotificationConfiguration;
      await store.configure(bucket, {
        notification: {
          ...wanted,
          TopicConfigurations: named(wanted.TopicConfigurations, "sns", ({ TopicArn }) => TopicArn),
          QueueConfigurations: named(wanted.QueueConfigurations, "sqs", ({ QueueArn }) => QueueArn),
          LambdaFunctionConfigurations: named(
            wanted.LambdaFunctionConfigurations,
            "lambda",
            ({ LambdaFunctionArn }) => LambdaFunctionArn,
          ),
        },
      });
      return {};
    },
  };
}

function checkTarget({ Events: events, Filter: filter }: Target): void {
  for (const event of events) {
    if (!EVENT.test(event)) throw invalidArgument("The event is not supported for notifications", "Event", event);
  }
  const names = (filter?.Key?.FilterRules ?? []).map(({ Name: name = "" }) => name.toLowerCase());
  for (const name of names) {
    if (name !== "prefix" && name !== "suffix") {
      throw invalidArgument("filter rule name must be either prefix or suffix", "FilterRule.Name", name);
    }
  }
  if (new Set(names).size < names.length) {
    throw invalidArgument("Cannot specify more than one prefix or suffix rule in a filter.");
  }
}
