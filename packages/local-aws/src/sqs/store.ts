import type { CallContext } from "../service.ts";
import { AwsError } from "../aws-error.ts";
import type { Commit, Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";
import { attributesSize } from "./message-attributes.ts";
import { queueArn, readUrl } from "./queue-names.ts";
import type { MessageRecord, MoveTaskRecord, Place, QueueRecord, SentRecord } from "./records.ts";
import { readRedrivePolicy } from "./redrive.ts";
import { noQueue } from "./refusals.ts";
import { textOf } from "./setting.ts";

/** What a message takes besides what is in it. */
const OVERHEAD = 512;
const COUNTER_DIGITS = 6;

/** All that SQS remembers. Queues are keyed by account, region and name, messages by that and their sequence. */
export class SqsStore {
  readonly queues: Records<QueueRecord>;
  readonly messages: Records<MessageRecord>;
  /** Keyed by queue and a hash of what makes a message the same. */
  readonly sent: Records<SentRecord>;
  /** Keyed by queue, moment and id. */
  readonly moveTasks: Records<MoveTaskRecord>;
  readonly #world: AwsWorld;
  #bytes: number | undefined;
  #last = { moment: 0, count: 0 };

  constructor(world: AwsWorld) {
    this.#world = world;
    this.queues = world.state.records("sqs/queues");
    this.messages = world.state.records("sqs/messages");
    this.sent = world.state.records("sqs/sent");
    this.moveTasks = world.state.records("sqs/move-tasks");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#world.state.commit(change);
  }

  /** A queue that is there. */
  find(place: Place, name: string): QueueRecord | undefined {
    const found = this.queues.get(queueKey({ ...place, name }));
    return found?.deletedAt === undefined ? found : undefined;
  }

  /** The queue of a URL; refuses those that are gone, and those of others. */
  queue({ account, region }: CallContext, url: string): QueueRecord {
    const named = readUrl(url);
    const found = this.find({ account: named.account, region }, named.name);
    if (found === undefined) throw noQueue();
    if (named.account !== account)
      throw new AwsError("AccessDenied", "Access to the resource is denied.", { status: 403 });
    return found;
  }

  queuesIn({ account, region }: Place, prefix = ""): readonly QueueRecord[] {
    return this.queues.list(`${account}|${region}|${prefix}`).map(([, queue]) => queue);
  }

  messagesOf(queue: QueueRecord): Iterable<readonly [key: string, message: MessageRecord]> {
    return this.messages.scan(`${queueKey(queue)}|`);
  }

  /** What a queue remembers of messages that had a deduplication id. */
  sentTo(queue: QueueRecord): readonly (readonly [key: string, sent: SentRecord])[] {
    return this.sent.list(`${queueKey(queue)}|`);
  }

  /** The redrives from a queue, in their order. */
  moveTasksOf(queue: QueueRecord): readonly (readonly [key: string, task: MoveTaskRecord])[] {
    return this.moveTasks.list(`${queueKey(queue)}|`);
  }

  /** Queues whose dead messages come to a queue. */
  deadLetterSourcesOf(queue: QueueRecord): readonly QueueRecord[] {
    const arn = queueArn(queue, queue.name);
    return this.queuesIn(queue).filter((each) => {
      const policy = textOf(each, "RedrivePolicy");
      return each.deletedAt === undefined && policy !== undefined && readRedrivePolicy(policy).target === arn;
    });
  }

  /** Puts a new message at the end of a queue. */
  add(commit: Commit, queue: QueueRecord, message: MessageRecord): void {
    this.#bytes = this.bytes() + sizeOf(message);
    commit.put(this.messages, messageKey(queue, message), message);
  }

  remove(commit: Commit, queue: QueueRecord, message: MessageRecord): void {
    this.#bytes = this.bytes() - sizeOf(message);
    commit.delete(this.messages, messageKey(queue, message));
  }

  /** What all messages take, about. */
  bytes(): number {
    if (this.#bytes === undefined) {
      this.#bytes = 0;
      for (const [, message] of this.messages.scan("")) this.#bytes += sizeOf(message);
    }
    return this.#bytes;
  }

  /** A sequence number of twenty digits, larger than all before. */
  nextSequence(queue: QueueRecord): string {
    const { moment, count } = this.#last;
    const now = this.#world.clock.now();
    this.#last = now > moment ? { moment: now, count: 0 } : { moment, count: count + 1 };
    const sequence = `1${String(this.#last.moment).padStart(13, "0")}${String(this.#last.count).padStart(COUNTER_DIGITS, "0")}`;
    // A process before this one may have numbered in the same moment.
    return this.messages.get(`${queueKey(queue)}|${sequence}`) === undefined ? sequence : this.nextSequence(queue);
  }
}

export function queueKey({ account, region, name }: Place & { readonly name: string }): string {
  return `${account}|${region}|${name}`;
}

export function messageKey(queue: QueueRecord, { sequence }: MessageRecord): string {
  return `${queueKey(queue)}|${sequence}`;
}

function sizeOf({ body, attributes }: MessageRecord): number {
  return OVERHEAD + Buffer.byteLength(body) + attributesSize(attributes);
}
