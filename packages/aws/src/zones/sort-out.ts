import { namedOrders } from "./named-orders.ts";
import { growthOf } from "./order.ts";
import type { Order } from "./order.ts";
import { outstanding } from "./outstanding.ts";
import type { RecordSet } from "./record-set.ts";

/** Orders that were sent as a batch. */
export interface SentOrders {
  readonly orders: readonly Order[];
  /** They were sent before, and no answer came: all of it may have been done. */
  readonly unsure: boolean;
}

/** What sorting needs besides. */
export interface SortTools {
  readonly read: ReadNames;
  readonly precedent: Precedent | undefined;
}

/** A refusal that names nobody, which an order of this growth got all by itself: the zone is full. */
export interface Precedent {
  readonly message: string;
  readonly growth: number;
}

/** An order that is at fault. */
export interface RefusedOrder {
  readonly order: Order;
  readonly message: string;
  /** What the zone has at its names. */
  readonly found?: readonly RecordSet[];
}

/** What is to become of the orders of a refused batch: each is in exactly one place. */
export interface SortedOut {
  /** The zone has it. */
  readonly done: readonly Order[];
  readonly refused: readonly RefusedOrder[];
  /** To be sent again, each group as a batch. */
  readonly groups: readonly (readonly Order[])[];
  readonly precedent?: Precedent;
}

/** Reads names of the zone. Undefined: what the orders name cannot even be asked for. */
export type ReadNames = (names: readonly string[]) => Promise<ReadonlyMap<string, readonly RecordSet[]> | undefined>;

const STRIKES = 3;
/** When so many are named for what the zone has, the words may be cut off before all are. */
const MANY = 10;
const LONGEST = 1_000;

/**
 * Sorts the orders of a refused batch. Those that the refusal names are compared with what the zone has: done, refused, or sent again,
 * less what is there already. Those that it does not name are sent again together. When it names nobody, halves are tried. An order is
 * refused only for words that are about it alone, for what the zone has, or when it was sent all by itself.
 *
 * Changes `left` and `strikes` of the orders.
 */
export async function sortOut({ orders, unsure }: SentOrders, said: string, tools: SortTools): Promise<SortedOut> {
  const named = namedOrders(said, orders);
  const alone = orders.length === 1;
  const anonymous = named.words.size === 0;
  if (anonymous && !alone) return withoutNames(orders, said, tools.precedent);

  const readsAll = anonymous || unsure || named.byState >= MANY;
  const suspects = readsAll ? orders : orders.filter((order) => named.words.has(order));
  const found = await tools.read(suspects.flatMap(({ names }) => names));
  const done: Order[] = [];
  const refused: RefusedOrder[] = [];
  const others = readsAll ? [] : orders.filter((order) => !named.words.has(order));
  const less: Order[] = [];
  const doubtful: Order[] = [];
  for (const order of suspects) {
    const there = order.names.flatMap((name) => found?.get(name) ?? []);
    const rest = found === undefined ? { left: order.left } : outstanding(order.left, there);
    const words = named.words.get(order);
    const refuse = (what: readonly RecordSet[]): void =>
      void refused.push({ order, message: (words?.join(", ") ?? said).slice(0, LONGEST), found: what });
    if ("conflict" in rest) refuse(rest.conflict);
    else if (rest.left.length === 0) done.push(order);
    else if (rest.left.some((change, at) => change !== order.left[at])) {
      order.left = rest.left;
      less.push(order);
    } else if (named.guilty.has(order) || (named.inTheWay.has(order) && there.length > 0)) refuse(there);
    else if (alone && (anonymous || ++order.strikes >= STRIKES)) refuse(there);
    else if (words === undefined && !anonymous) others.push(order);
    else doubtful.push(order);
  }
  const noProgress = doubtful.length === orders.length && !alone;
  const groups = [others, less, ...(noProgress ? halves(doubtful) : [doubtful])].filter(({ length }) => length > 0);
  const growth = alone && anonymous && refused.length === 1 && /limit/i.test(said) ? growthOf(orders[0]!) : 0;
  return { done, refused, groups, ...(growth > 0 && { precedent: { message: said, growth } }) };
}

/**
 * Halves of the orders, as nobody is named. Where one order found no room, those that need as much find none either: they need not be
 * tried one by one.
 */
function withoutNames(orders: readonly Order[], said: string, precedent: Precedent | undefined): SortedOut {
  if (precedent?.message !== said) return { done: [], refused: [], groups: halves(orders) };
  const large = orders.filter((order) => growthOf(order) >= precedent.growth);
  const small = orders.filter((order) => growthOf(order) < precedent.growth);
  return {
    done: [],
    refused: large.map((order) => ({ order, message: said })),
    groups: small.length > 0 ? [small] : [],
  };
}

function halves<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
