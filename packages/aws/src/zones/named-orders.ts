import { canonicalName } from "./canonical.ts";
import type { Order } from "./order.ts";
import { recordsOf } from "./outstanding.ts";

/** Whom a refusal names. */
export interface Named {
  /** Those that it names, and what it says of each. */
  readonly words: ReadonlyMap<Order, readonly string[]>;
  /** Named for what the zone has at the very sets that they change. */
  readonly byState: number;
  /** At fault by the refusal's own words, whatever the zone has. */
  readonly guilty: ReadonlySet<Order>;
  /** At fault if there is anything else at their names. */
  readonly inTheWay: ReadonlySet<Order>;
}

/** Where the words of Route 53 name a set. */
const SETS = [
  /name='([^']+)'/g,
  /DNS name ([^\s,]+)/g,
  /resource record set '\w+ ([^']+)'/g,
  /\bName=([^,\]]+)/g,
] as const;
const TARGETS = [/alias that targets ([^\s,]+)/g] as const;
const VALUES = [/(?:encountered with|Duplicate Resource Record:) '([^']*)'/g] as const;
/** Says of a set that it is, is not, or is otherwise: what the zone has decides, and may have changed since. */
const OF_THE_SET = /already exists$|was not found$|do not match|invalid set of changes/;
/** Says of a set that it does not go with others. */
const OF_ITS_NEIGHBOURS = /conflict|same name and type/;

/** Finds in the words of a refusal which of the orders it is about. None: the words name nobody. */
export function namedOrders(message: string, orders: readonly Order[]): Named {
  const words = new Map<Order, string[]>();
  let byState = 0;
  const guilty = new Set<Order>();
  const inTheWay = new Set<Order>();
  const byName = Map.groupBy(
    orders.flatMap((order) => order.names.map((name) => ({ name, order }))),
    ({ name }) => name,
  );
  for (const part of messagesIn(message)) {
    const named = new Set(
      captures(part, SETS).flatMap((name) => byName.get(canonicalName(name))?.map(({ order }) => order) ?? []),
    );
    const aliased = owning(orders, captures(part, TARGETS).map(canonicalName), targetsOf);
    for (const order of [...named, ...aliased, ...owning(orders, captures(part, VALUES), valuesOf)]) {
      words.set(order, [...(words.get(order) ?? []), part]);
    }
    const ofTheSet = OF_THE_SET.test(part) && aliased.length === 0;
    if (ofTheSet) byState += named.size;
    for (const order of aliased) guilty.add(order);
    if (named.size !== 1 || ofTheSet) continue;
    for (const order of named) (OF_ITS_NEIGHBOURS.test(part) ? inTheWay : guilty).add(order);
  }
  return { words, byState, guilty, inTheWay };
}

/** `[one, two]`: each begins with words that messages begin with, since commas are in them too. */
function messagesIn(text: string): readonly string[] {
  const inner = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  return inner.split(/, (?=Tried to|RRSet |Invalid |Duplicate |The request|Number of|FATAL|A HostedZone)/);
}

function captures(text: string, patterns: readonly RegExp[]): readonly string[] {
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []));
}

function owning(
  orders: readonly Order[],
  wanted: readonly string[],
  has: (order: Order) => readonly string[],
): readonly Order[] {
  return wanted.length === 0 ? [] : orders.filter((order) => has(order).some((each) => wanted.includes(each)));
}

function targetsOf({ left }: Order): readonly string[] {
  return left.flatMap(recordsOf).flatMap(({ alias }) => (alias === undefined ? [] : [canonicalName(alias.dnsName)]));
}

function valuesOf({ left }: Order): readonly string[] {
  return left.flatMap(recordsOf).flatMap(({ values }) => values ?? []);
}
