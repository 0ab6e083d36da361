import type { ListMessageMoveTasksResultEntry, Operations } from "@gatewright/aws-wire/types/sqs";
import { uuid } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { moveMessages } from "./move-messages.ts";
import { isFifoName, queueArn, readArn } from "./queue-names.ts";
import type { MoveTaskRecord, Place, QueueRecord } from "./records.ts";
import { checkRange, invalidParameter, noResource, sqsError } from "./refusals.ts";
import { queueKey } from "./store.ts";

/** So many tasks of a queue are remembered. */
const REMEMBERED = 10;
const MOMENT_DIGITS = 13;

/** Redriving: messages of a dead-letter queue go back. A task is over when its start is answered, whatever its rate. */
export function moveOperations(ground: Ground): Handlers<Operations> {
  const { world, store, waiters } = ground;
  const queueOf = (place: Place, arn: string, parameter: string): QueueRecord => {
    const named = readArn(arn);
    const here = named?.account === place.account && named.region === place.region;
    const found = here ? store.find(named, named.name) : undefined;
    if (found === undefined) throw noResource(parameter);
    return found;
  };
  return {
    StartMessageMoveTask: async (input, context) => {
      const { SourceArn, DestinationArn, MaxNumberOfMessagesPerSecond: perSecond } = input;
      checkRange("MaxNumberOfMessagesPerSecond", perSecond, 1, 500);
      const source = queueOf(context, SourceArn, "SourceArn");
      const destination = DestinationArn === undefined ? undefined : queueOf(context, DestinationArn, "DestinationArn");
      if (store.deadLetterSourcesOf(source).length === 0) {
        throw invalidParameter("Source queue must be configured as a Dead Letter Queue.");
      }
      if (destination?.name === source.name) {
        throw invalidParameter("Source queue arn and destination queue arn cannot be the same.");
      }
      if (destination !== undefined && isFifoName(destination.name) !== isFifoName(source.name)) {
        throw invalidParameter("Source queue and destination queue must be of the same type.");
      }
      const id = uuid(world.random);
      const startedAt = world.clock.now();
      const reached = new Set<string>();
      const committed = store.commit((commit) => {
        const { found, moved, failure } = moveMessages(ground, commit, source, destination);
        for (const queue of moved) reached.add(queueKey(queue));
        for (const [key] of store.moveTasksOf(source).slice(0, 1 - REMEMBERED)) commit.delete(store.moveTasks, key);
        commit.put(store.moveTasks, `${queueKey(source)}|${String(startedAt).padStart(MOMENT_DIGITS, "0")}|${id}`, {
          id,
          startedAt,
          found,
          moved: moved.length,
          ...(destination !== undefined && { destination: queueArn(destination, destination.name) }),
          ...(perSecond !== undefined && { perSecond }),
          ...(failure !== undefined && { failure }),
        });
      });
      for (const key of reached) waiters.wake(key);
      await committed;
      return { TaskHandle: taskHandle(source, id) };
    },
    ListMessageMoveTasks: ({ SourceArn, MaxResults = 1 }, context) => {
      checkRange("MaxResults", MaxResults, 1, REMEMBERED);
      const source = queueOf(context, SourceArn, "SourceArn");
      const newest = store.moveTasksOf(source).toReversed().slice(0, MaxResults);
      return { Results: newest.map(([, task]) => told(source, task)) };
    },
    CancelMessageMoveTask: ({ TaskHandle }, context) => {
      const { id, sourceArn } = readTaskHandle(TaskHandle);
      const source = queueOf(context, sourceArn, "SourceArn");
      if (!store.moveTasksOf(source).some(([, task]) => task.id === id)) {
        throw new AwsError("ResourceNotFoundException", "Task does not exist.", { status: 404 });
      }
      throw sqsError("UnsupportedOperation", "Only active tasks can be cancelled.");
    },
  };
}

/** Handles are told of tasks that run only, and none of these does. */
function told(source: QueueRecord, task: MoveTaskRecord): ListMessageMoveTasksResultEntry {
  const { startedAt, destination, perSecond, found, moved, failure } = task;
  return {
    Status: failure === undefined ? "COMPLETED" : "FAILED",
    SourceArn: queueArn(source, source.name),
    ...(destination !== undefined && { DestinationArn: destination }),
    ...(perSecond !== undefined && { MaxNumberOfMessagesPerSecond: perSecond }),
    ApproximateNumberOfMessagesMoved: moved,
    ApproximateNumberOfMessagesToMove: found,
    ...(failure !== undefined && { FailureReason: failure }),
    StartedTimestamp: startedAt,
  };
}

function taskHandle(source: QueueRecord, id: string): string {
  return Buffer.from(`${id} ${queueArn(source, source.name)}`).toString("base64");
}

function readTaskHandle(handle: string): { readonly id: string; readonly sourceArn: string } {
  const [id, sourceArn, ...more] = Buffer.from(handle, "base64").toString().split(" ");
  if (id !== undefined && sourceArn !== undefined && more.length === 0) return { id, sourceArn };
  throw invalidParameter("Value for parameter TaskHandle is invalid.");
}
