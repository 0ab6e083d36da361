import { goTogether, sizeOf } from "./order.ts";
import type { BatchSize, Order } from "./order.ts";

/** A batch, and the orders that come later. `full`: more would have gone in, had there been room. */
export interface NextBatch {
  readonly batch: readonly Order[];
  readonly later: readonly Order[];
  readonly full: boolean;
}

/**
 * Takes orders in their turn until the batch is full. An order is never split. One that touches a name of an earlier one which is still
 * to be sent (`ahead`, or before it in the queue) waits for that, unless the two go together.
 */
export function nextBatch(queue: readonly Order[], ahead: Iterable<Order>, limit: BatchSize): NextBatch {
  const batch: Order[] = [];
  const later: Order[] = [];
  const earlier = new Map<string, { readonly order: Order; readonly sent: boolean }[]>();
  const remember = (order: Order, sent: boolean): void => {
    for (const name of order.names) earlier.set(name, [...(earlier.get(name) ?? []), { order, sent }]);
  };
  for (const order of ahead) remember(order, false);
  let elements = 0;
  let characters = 0;
  for (const [at, order] of queue.entries()) {
    const size = sizeOf(order);
    const blocked = order.names.some((name) =>
      earlier.get(name)?.some((other) => !other.sent || !goTogether(order, other.order)),
    );
    const fits = elements + size.elements <= limit.elements && characters + size.characters <= limit.characters;
    // Nothing overtakes an order that found no room, or it might never find any.
    if (!blocked && !fits) return { batch, later: [...later, ...queue.slice(at)], full: true };
    if (blocked) later.push(order);
    else {
      batch.push(order);
      elements += size.elements;
      characters += size.characters;
    }
    remember(order, !blocked);
  }
  return { batch, later, full: false };
}
