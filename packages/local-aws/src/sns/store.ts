import type { CallContext } from "../service.ts";
import type { Commit, Records } from "../state/state.ts";
import type { AwsWorld } from "../world.ts";
import { readSubscriptionArn, readTopicArn } from "./arn.ts";
import type { Place, PublishedRecord, SubscriptionRecord, TopicRecord } from "./records.ts";
import { invalid, noSubscription, noTopic, notAuthorized } from "./refusals.ts";

/** A subscription that nobody confirms is forgotten after two days, at any pace: it is a rule of the calendar. */
const PENDING_MS = 48 * 3_600_000;
/** One that ended is listed for so long, as deleted. */
const ENDED_MS = 72 * 3_600_000;

/** All that SNS remembers. Topics are keyed by account, region and name, subscriptions by that and their id. */
export class SnsStore {
  readonly topics: Records<TopicRecord>;
  readonly subscriptions: Records<SubscriptionRecord>;
  /** Keyed by topic and a hash of what makes a message the same. */
  readonly published: Records<PublishedRecord>;
  readonly #world: AwsWorld;

  constructor(world: AwsWorld) {
    this.#world = world;
    this.topics = world.state.records("sns/topics");
    this.subscriptions = world.state.records("sns/subscriptions");
    this.published = world.state.records("sns/published");
  }

  commit(change: (commit: Commit) => void): Promise<void> {
    return this.#world.state.commit(change);
  }

  /** The topic of an ARN; refuses those that are not there, and those of others. */
  topic({ account, region, caller }: CallContext, arn: string, action: string): TopicRecord {
    const named = readTopicArn(arn);
    if (named === undefined || named.region !== region) throw invalid("TopicArn");
    if (named.account !== account) throw notAuthorized(caller.arn, action, arn);
    const found = this.topics.get(topicKey(named));
    if (found === undefined) throw noTopic();
    return found;
  }

  topicsIn({ account, region }: Place): readonly TopicRecord[] {
    return this.topics.list(`${account}|${region}|`).map(([, topic]) => topic);
  }

  /** The subscription of an ARN; refuses as `topic` does. */
  subscription({ account, region, caller }: CallContext, arn: string, action: string): SubscriptionRecord {
    const named = readSubscriptionArn(arn);
    if (named === undefined || named.region !== region) throw invalid("SubscriptionArn");
    if (named.account !== account) throw notAuthorized(caller.arn, action, arn);
    const found = this.subscriptions.get(subscriptionKey(named));
    if (found === undefined || !this.#isThere(found)) throw noSubscription();
    return found;
  }

  subscriptionsOf(topic: TopicRecord): readonly SubscriptionRecord[] {
    return this.#subscriptions(`${topicKey(topic)}|`).filter((each) => this.#isThere(each));
  }

  /** Those of a topic, or of all topics of a place, that are there or ended lately. */
  listed(of: TopicRecord | Place): readonly SubscriptionRecord[] {
    const prefix = "name" in of ? topicKey(of) : `${of.account}|${of.region}`;
    const since = this.#world.clock.now() - ENDED_MS;
    return this.#subscriptions(`${prefix}|`).filter((each) =>
      each.endedAt === undefined ? this.#isThere(each) : each.endedAt > since,
    );
  }

  #subscriptions(prefix: string): readonly SubscriptionRecord[] {
    return this.subscriptions.list(prefix).map(([, each]) => each);
  }

  #isThere({ pending, createdAt, endedAt }: SubscriptionRecord): boolean {
    return endedAt === undefined && (!pending || this.#world.clock.now() < createdAt + PENDING_MS);
  }
}

export function topicKey({ account, region, name }: Place & { readonly name: string }): string {
  return `${account}|${region}|${name}`;
}

export function subscriptionKey(named: Place & { readonly topic: string; readonly id: string }): string {
  return `${topicKey({ ...named, name: named.topic })}|${named.id}`;
}
