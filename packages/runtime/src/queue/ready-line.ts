import { Chain } from "./chain.ts";
import type { ChainItem } from "./chain.ts";
import { Heap } from "./heap.ts";
import type { HeapItem } from "./heap.ts";

/** What stands in a {@link ReadyLine}. Neither field changes while it stands there. */
export interface Ready<T> extends ChainItem<T> {
  readonly tenant: string;
  readonly priority: number;
}

/** The items of one tenant within a priority, and its turn among the tenants. */
class Tenant<T extends Ready<T>> implements ChainItem<Tenant<T>> {
  readonly items = new Chain<T>();
  previous: Tenant<T> | undefined;
  next: Tenant<T> | undefined;
}

class PriorityClass<T extends Ready<T>> implements HeapItem {
  readonly priority: number;
  readonly tenants = new Map<string, Tenant<T>>();
  readonly turns = new Chain<Tenant<T>>();
  position = -1;

  constructor(priority: number) {
    this.priority = priority;
  }
}

/**
 * Who is next: the highest priority; within it each tenant in turn; within a tenant, who came first. A tenant with ten thousand
 * items delays another one's first item by one item.
 */
export class ReadyLine<T extends Ready<T>> {
  readonly #classes = new Map<number, PriorityClass<T>>();
  readonly #order = new Heap<PriorityClass<T>>((a, b) => a.priority > b.priority);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: T): void {
    let ranked = this.#classes.get(item.priority);
    if (ranked === undefined) {
      ranked = new PriorityClass(item.priority);
      this.#classes.set(item.priority, ranked);
      this.#order.add(ranked);
    }
    let tenant = ranked.tenants.get(item.tenant);
    if (tenant === undefined) {
      tenant = new Tenant<T>();
      ranked.tenants.set(item.tenant, tenant);
      ranked.turns.append(tenant);
    }
    tenant.items.append(item);
    this.#size++;
  }

  shift(): T | undefined {
    const ranked = this.#order.first();
    const tenant = ranked?.turns.first;
    const item = tenant?.items.first;
    if (ranked === undefined || tenant === undefined || item === undefined) return undefined;
    if (tenant.items.first?.next !== undefined) {
      ranked.turns.remove(tenant);
      ranked.turns.append(tenant);
    }
    this.remove(item);
    return item;
  }

  remove(item: T): void {
    const ranked = this.#classes.get(item.priority);
    const tenant = ranked?.tenants.get(item.tenant);
    if (ranked === undefined || tenant === undefined) throw new Error("an item that is not in line cannot leave it");
    tenant.items.remove(item);
    this.#size--;
    if (tenant.items.first !== undefined) return;
    ranked.tenants.delete(item.tenant);
    ranked.turns.remove(tenant);
    if (ranked.turns.first !== undefined) return;
    this.#classes.delete(item.priority);
    this.#order.remove(ranked);
  }
}
