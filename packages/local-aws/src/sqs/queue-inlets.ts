import { AwsError } from "../aws-error.ts";
import type { QueueInlets } from "../neighbours.ts";
import type { Ground } from "./ground.ts";
import { draftMessage } from "./message-draft.ts";
import { isFifoName, queueArn, readArn } from "./queue-names.ts";
import { letsServiceIn } from "./queue-policy.ts";
import { makeRoom, sendDrafts } from "./send-operations.ts";
import { textOf } from "./setting.ts";

/** Queues for services that send messages into them. */
export function queueInlets(ground: Ground): QueueInlets {
  return {
    async send(arn, message, sender) {
      try {
        await makeRoom(ground, [{ MessageBody: message.body }]);
        const named = readArn(arn);
        const queue = named && ground.store.find(named, named.name);
        if (queue === undefined) return "no such queue";
        const wanted = { ...sender, action: "sqs:SendMessage", resource: queueArn(queue, queue.name) };
        if (!letsServiceIn(textOf(queue, "Policy"), wanted)) return "not allowed";
        const { body, attributes, group, deduplication } = message;
        const entry = {
          MessageBody: body,
          MessageAttributes: attributes,
          MessageGroupId: group,
          MessageDeduplicationId: isFifoName(queue.name) ? deduplication : undefined,
        };
        await sendDrafts(ground, queue, [draftMessage(queue, entry, sender.service, ground.world.clock.now())]);
        return "sent";
      } catch (error) {
        if (error instanceof AwsError) return "not accepted";
        throw error;
      }
    },
  };
}
