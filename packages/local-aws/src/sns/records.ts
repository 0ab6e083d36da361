/** Where topics are. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

export type Pairs = readonly (readonly [name: string, value: string])[];

export interface TopicRecord extends Place {
  readonly name: string;
  readonly createdAt: number;
  /** Settable attributes that have a value, as texts. */
  readonly attributes: Pairs;
  readonly tags: Pairs;
  /** Subscriptions that were ended one by one. */
  readonly unsubscribed: number;
}

export interface SubscriptionRecord extends Place {
  /** Name of its topic, which is in the same place. */
  readonly topic: string;
  readonly id: string;
  readonly protocol: string;
  readonly endpoint: string;
  readonly createdAt: number;
  /** Until somebody confirms it nothing is delivered. */
  readonly pending: boolean;
  /** When somebody ended it who had to be asked first: it is listed for a while. */
  readonly endedAt?: number;
  /** Whether the one who subscribed or confirmed was known by a signature. */
  readonly authenticated: boolean;
  /** ARN of who subscribed. */
  readonly principal: string;
  readonly attributes: Pairs;
}

/** A message that was published with a deduplication id, for five minutes. */
export interface PublishedRecord {
  readonly id: string;
  readonly sequence: string;
  readonly at: number;
}
