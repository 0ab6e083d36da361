import { canonicalName } from "./canonical.ts";
import { namedOrders } from "./named-orders.ts";
import { growthOf } from "./order.ts";
import type { Order } from "./order.ts";
import { outstanding } from "./outstanding.ts";
import type { RecordSet } from "./record-set.ts";

/** Why a batch was refused, in the service's words. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A refusal that names nobody, which an order of this growth got all by itself: the zone is full. */
export interface Precedent {
  readonly message: string;
  readonly growth: number;
}

/** What is to become of the orders of a refused batch: each is in exactly one place. */
export interface SortedOut {
  /** The zone has it. */
  readonly done: readonly Order[];
  readonly refused: readonly { readonly order: Order; readonly found?: readonly RecordSet[] }[];
  /** To be sent again, each group as a batch. */
  readonly groups: readonly (readonly Order[])[];
  readonly precedent?: Precedent;
}

/** Reads names of the zone. Undefined: what the orders name cannot even be asked for. */
export type ReadNames = (names: readonly string[]) => Promise<ReadonlyMap<string, readonly RecordSet[]> | undefined>;

const STRIKES = 3;

/**
 * Sorts the orders of a refused batch. Those that the refusal names are compared with what the zone has: done, refused, or sent again,
 * less what is there already. Those that it does not name are sent again together. When it names nobody, halves are tried. An order is
 * refused only for words that are about it alone, for what the zone has, or when it was sent all by itself.
 *
 * Changes `left` and `strikes` of the orders.
 */
export async function sortOut(
  orders: readonly Order[],
  { message }: Refusal,
  read: ReadNames,
  precedent: Precedent | undefined,
): Promise<SortedOut> {
  const named = namedOrders(message, orders);
  const alone = orders.length === 1;
  const anonymous = named.orders.length === 0;
  if (anonymous && !alone)
    return { done: [], refused: [], groups: halves(orders), ...byPrecedent(orders, message, precedent) };

  const suspects = new Set(anonymous ? orders : named.orders);
  const found = await read([...suspects].flatMap(({ names }) => names));
  const done: Order[] = [];
  const refused: { order: Order; found?: readonly RecordSet[] }[] = [];
  const less: Order[] = [];
  const doubtful: Order[] = [];
  for (const order of suspects) {
    const there = order.names.flatMap((name) => found?.get(canonicalName(name)) ?? []);
    const rest = found === undefined ? { left: order.left } : outstanding(order.left, there);
    if ("conflict" in rest) refused.push({ order, found: rest.conflict });
    else if (rest.left.length === 0) done.push(order);
    else if (rest.left.some((change, at) => change !== order.left[at])) {
      order.left = rest.left;
      less.push(order);
    } else if (named.guilty.has(order) || (named.inTheWay.has(order) && there.length > 0)) {
      refused.push({ order, found: there });
    } else if (alone && (anonymous || ++order.strikes >= STRIKES)) refused.push({ order, found: there });
    else doubtful.push(order);
  }
  const others = orders.filter((order) => !suspects.has(order));
  const noProgress = doubtful.length === orders.length && !alone;
  const groups = [others, less, ...(noProgress ? halves(doubtful) : [doubtful])].filter(({ length }) => length > 0);
  const [first] = refused;
  const full = anonymous && first !== undefined && growthOf(first.order) > 0 && /limit/i.test(message);
  return { done, refused, groups, ...(full && { precedent: { message, growth: growthOf(first.order) } }) };
}

/** Where one order found no room, those that need as much find none either. */
function byPrecedent(orders: readonly Order[], message: string, precedent: Precedent | undefined): Partial<SortedOut> {
  if (precedent === undefined || precedent.message !== message) return {};
  const { true: large = [], false: small = [] } = Object.groupBy(orders, (order) =>
    growthOf(order) >= precedent.growth ? "true" : "false",
  );
  return { refused: large.map((order) => ({ order })), groups: small.length > 0 ? [small] : [] };
}

function halves<T>(all: readonly T[]): readonly (readonly T[])[] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}
