import type { CreateQueueRequest } from "@gatewright/aws-wire/types/sqs";
import { AwsError } from "../aws-error.ts";
import type { AwsWorld } from "../world.ts";
import { checkAttributes, withAttributes } from "./queue-attributes.ts";
import { checkName } from "./queue-names.ts";
import type { Place, QueueRecord } from "./records.ts";
import { checkAllowPolicy, checkTarget, readRedrivePolicy, redrivePolicyText } from "./redrive.ts";
import { sqsError } from "./refusals.ts";
import { queueKey } from "./store.ts";
import type { SqsStore } from "./store.ts";
import { withTags } from "./tag-rules.ts";

/** After the end of a queue its name is not given again for so long. */
const NAME_REST = 60_000;

/** Makes a queue. One that is there already is given if it has what is asked for. */
export async function createQueue(
  world: AwsWorld,
  store: SqsStore,
  place: Place,
  input: CreateQueueRequest,
): Promise<QueueRecord> {
  const { QueueName: name, Attributes: given = {}, tags = {} } = input;
  const fifo = Object.hasOwn(given, "FifoQueue") && given["FifoQueue"] === "true";
  checkName(name, fifo);
  const checked = settable(store, place, name, given, fifo);
  const now = world.clock.now();
  const { account, region } = place;
  const before = store.queues.get(queueKey({ account, region, name }));
  if (before !== undefined && before.deletedAt === undefined) {
    const has = new Map(before.attributes);
    for (const [attribute, value] of checked) {
      if ((has.get(attribute) ?? "") === value) continue;
      throw new AwsError(
        "QueueAlreadyExists",
        `A queue already exists with the same name and a different value for attribute ${attribute}`,
      );
    }
    return before;
  }
  if (before?.deletedAt !== undefined && now < before.deletedAt + NAME_REST * world.pace.durations) {
    throw sqsError(
      "QueueDeletedRecently",
      "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
    );
  }
  const queue: QueueRecord = {
    account,
    region,
    name,
    createdAt: now,
    modifiedAt: now,
    attributes: withAttributes([], checked, fifo),
    tags: withTags([], Object.entries(tags)),
  };
  await store.commit((commit) => commit.put(store.queues, queueKey(queue), queue));
  return queue;
}

/** Attributes that are right by themselves and with the queues that they name. */
export function settable(
  store: SqsStore,
  place: Place,
  name: string,
  given: Readonly<Record<string, string>>,
  fifo: boolean,
): ReadonlyMap<string, string> {
  const checked = new Map(checkAttributes(given, fifo));
  const redrive = checked.get("RedrivePolicy") ?? "";
  if (redrive !== "") {
    const policy = readRedrivePolicy(redrive);
    checkTarget(policy, place, name, (target) => store.find(place, target));
    checked.set("RedrivePolicy", redrivePolicyText(policy));
  }
  const allow = checked.get("RedriveAllowPolicy") ?? "";
  if (allow !== "") checkAllowPolicy(allow);
  return checked;
}
