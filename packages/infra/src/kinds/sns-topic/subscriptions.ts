import { isObject } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { SNSTopic } from "@gatewright/resources";
import type { Field } from "../../engine/field.ts";
import type { Given, Reference } from "../../engine/given.ts";
import { sameDelivery, sameDocument } from "./documents.ts";
import { maskedEndpoint } from "./masked-endpoint.ts";
import { attributeOf } from "./topic.ts";
import type { Subscription, Topic } from "./topic.ts";

type Spec = Immutable<SNSTopic["spec"]>;
type Declared = NonNullable<Spec["subscriptions"]>[number];

/** A subscription as it shall be: who gets the messages, and SNS's attributes of it; those that are not there shall not be set. */
export interface Wish {
  readonly protocol: string;
  readonly endpoint: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const queuePath = (i: number): string => `subscriptions[${i}].queueRef`;
const deadPath = (i: number): string => `subscriptions[${i}].deadLetterQueueRef`;

/**
 * All subscriptions of the topic. What waits to be confirmed is there: asking again would send another mail. SNS never tells passwords,
 * and neither do the values of this field: they are compared and shown masked.
 */
export const subscriptionsField: Field<Spec, Topic> = {
  path: "subscriptions",
  change: "in-place",
  want: (spec, given) =>
    declared(spec, given)
      ?.map((each) => ({ ...each, endpoint: maskedEndpoint(each.endpoint) }))
      .toSorted(byPlace),
  have: ({ subscriptions }) => subscriptions?.map(had).toSorted(byPlace),
  same: (want, _have, { subscriptions }) => {
    if (subscriptions === undefined) return false;
    const { surplus, missing, other } = workOn(wishesIn(want), subscriptions);
    return surplus.length + missing.length + other.length === 0;
  },
  unset: [],
};

/**
 * What has to be done for subscriptions to be as they shall. Those that are pending can be neither changed nor ended. SNS has one for a
 * protocol and endpoint: where several are wished for, the first counts.
 */
export function workOn(wishes: readonly Wish[], there: readonly Subscription[]) {
  const wished = new Map(wishes.toReversed().map((each) => [placeOf(each), each]));
  const taken = new Set(there.map(placeOf));
  const confirmed = there.flatMap((each) => (each.arn === undefined ? [] : [{ ...each, arn: each.arn }]));
  return {
    surplus: confirmed.filter((each) => !wished.has(placeOf(each))),
    missing: [...wished.values()].toReversed().filter((each) => !taken.has(placeOf(each))),
    other: confirmed.flatMap((each) => {
      const wish = wished.get(placeOf(each));
      const names = wish === undefined ? [] : ATTRIBUTES.filter((name) => !isSet(name, wish, each));
      return wish === undefined || names.length === 0 ? [] : [{ arn: each.arn, wish, names }];
    }),
  };
}

/** SNS tells telephone numbers in one spelling, whatever it was given: a plus sign and digits. */
function placeOf({ protocol, endpoint }: Pick<Wish, "protocol" | "endpoint">): string {
  return `${protocol} ${protocol === "sms" ? `+${endpoint.replaceAll(/\D/g, "")}` : maskedEndpoint(endpoint)}`;
}

/** In the order in which they are set: the filter fits its scope. */
const ATTRIBUTES = [
  "FilterPolicyScope",
  "FilterPolicy",
  "RawMessageDelivery",
  "RedrivePolicy",
  "DeliveryPolicy",
  "SubscriptionRoleArn",
] as const;

function isSet(name: (typeof ATTRIBUTES)[number], wish: Wish, has: Subscription): boolean {
  const [want, have] = [wish.attributes.get(name), attributeOf(has, name)];
  switch (name) {
    case "RawMessageDelivery":
      return (want ?? "false") === (have ?? "false");
    case "FilterPolicyScope":
      return !wish.attributes.has("FilterPolicy") || want === (have ?? "MessageAttributes");
    case "FilterPolicy":
    case "RedrivePolicy":
      return sameDocument(want, have === "{}" ? undefined : have);
    case "DeliveryPolicy":
      return want === undefined ? have === undefined || have === "{}" : sameDelivery(want, have);
    case "SubscriptionRoleArn":
      return want === have;
  }
}

/** What a spec wishes for, with passwords. */
export function wishesOf(spec: Spec, given: Given): readonly Wish[] {
  return wishesIn(declared(spec, given));
}

/** The wishes that a value of the field holds. */
function wishesIn(want: Json | undefined): readonly Wish[] {
  return (Array.isArray(want) ? want : []).filter(isObject).map((each) => {
    const { protocol, endpoint, ...attributes } = each;
    return {
      protocol: String(protocol),
      endpoint: String(endpoint),
      attributes: new Map(
        Object.entries(attributes).map(([name, value]) => [ATTRIBUTE_OF[name] ?? name, String(value)]),
      ),
    };
  });
}

/** What the spec calls the attributes of SNS. */
const ATTRIBUTE_OF: Readonly<Record<string, string>> = {
  rawMessageDelivery: "RawMessageDelivery",
  filterPolicy: "FilterPolicy",
  filterPolicyScope: "FilterPolicyScope",
  redrivePolicy: "RedrivePolicy",
  deliveryPolicy: "DeliveryPolicy",
  subscriptionRoleArn: "SubscriptionRoleArn",
};

function declared({ subscriptions }: Spec, given: Given) {
  return subscriptions?.map((each, i) => wanted(each, i, given));
}

function wanted(each: Declared, i: number, given: Given): JsonObject & { readonly endpoint: string } {
  const { protocol, filterPolicy, filterPolicyScope, rawMessageDelivery, deliveryPolicy, subscriptionRoleArn } = each;
  const dead = each.deadLetterQueueArn ?? given.value(deadPath(i));
  const filters = filterPolicy !== undefined && !sameDocument(filterPolicy, "{}");
  return {
    protocol,
    endpoint: each.endpoint ?? given.value(queuePath(i)) ?? "",
    ...(rawMessageDelivery === true && { rawMessageDelivery }),
    // To SNS an empty filter is none.
    ...(filters && { filterPolicy, filterPolicyScope: filterPolicyScope ?? "MessageAttributes" }),
    ...(dead !== undefined && { redrivePolicy: JSON.stringify({ deadLetterTargetArn: dead }) }),
    ...(deliveryPolicy !== undefined && { deliveryPolicy }),
    ...(subscriptionRoleArn !== undefined && { subscriptionRoleArn }),
  };
}

function had(subscription: Subscription): JsonObject {
  const { protocol, endpoint, arn } = subscription;
  const set = Object.entries(ATTRIBUTE_OF).flatMap(([name, attribute]) => {
    const value = attributeOf(subscription, attribute);
    return value === undefined || value === "false" || value === "{}" ? [] : [[name, value] as const];
  });
  return {
    protocol,
    endpoint: maskedEndpoint(endpoint),
    ...Object.fromEntries(set),
    ...(arn === undefined && { pending: true }),
  };
}

function byPlace(one: JsonObject, other: JsonObject): number {
  const [a, b] = [
    `${String(one["protocol"])} ${String(one["endpoint"])}`,
    `${String(other["protocol"])} ${String(other["endpoint"])}`,
  ];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Queues that the subscriptions name by object. */
export function subscriptionReferences({ subscriptions = [] }: Spec): readonly Reference[] {
  return subscriptions.flatMap(({ queueRef, deadLetterQueueRef }, i) =>
    [[queuePath(i), queueRef] as const, [deadPath(i), deadLetterQueueRef] as const].flatMap(
      ([path, ref]): readonly Reference[] =>
        ref === undefined ? [] : [{ to: "output", path, kind: "SQSQueue", name: ref.name, output: "arn" }],
    ),
  );
}
