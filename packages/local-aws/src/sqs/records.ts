/** Where queues are. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

/** A queue, or for a while what is remembered of one that was deleted. */
export interface QueueRecord extends Place {
  readonly name: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** Settable attributes that have a value, as texts. */
  readonly attributes: Pairs;
  /** The attributes before the last change, for reads that lag behind it. */
  readonly before?: Pairs;
  readonly tags: Pairs;
  readonly purgedAt?: number;
  readonly deletedAt?: number;
}

/** An attribute that a sender gave a message. */
export interface MessageAttribute {
  readonly name: string;
  readonly type: string;
  /** Base64 where the type is binary. */
  readonly value: string;
}

export interface MessageRecord {
  readonly id: string;
  /** Twenty digits, ascending in a queue. */
  readonly sequence: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: readonly MessageAttribute[];
  readonly trace?: string;
  readonly sender: string;
  readonly sentAt: number;
  readonly group?: string;
  readonly deduplication?: string;
  /** Until then nobody receives it: delayed, or received by somebody. */
  readonly hiddenUntil: number;
  readonly receives: number;
  readonly firstReceivedAt?: number;
  /** Of the last receive; undefined while it is delayed or waiting. */
  readonly receipt?: string;
  readonly receivedAt?: number;
  /** ARN of the queue that it was moved from. */
  readonly source?: string;
}

/** A redrive that was made: messages went from a dead-letter queue back to where they came from, or to one other queue. */
export interface MoveTaskRecord {
  readonly id: string;
  readonly startedAt: number;
  /** ARN of the queue that was asked for. */
  readonly destination?: string;
  readonly perSecond?: number;
  readonly found: number;
  readonly moved: number;
  /** Why it ended before all were moved. */
  readonly failure?: string;
}

/** A message that was sent with a deduplication id, for five minutes. */
export interface SentRecord {
  readonly id: string;
  readonly sequence: string;
  readonly at: number;
}
