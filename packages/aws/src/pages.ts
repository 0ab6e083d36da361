import { everyPage } from "./every-page.ts";
import type { Listing } from "./every-page.ts";
import type { CallOptions } from "./service-calls.ts";

/** A listing, and what a page of it holds. */
export interface Paging<Input, Output, Item> extends Listing<Input, Output> {
  readonly items: (page: Output) => readonly Item[] | undefined;
}

/**
 * Every item of a listing, page after page, as they are asked for: see {@link everyPage}. Not a snapshot: what changes meanwhile may
 * be missed or come twice.
 */
export async function* pages<Input, Output extends object, Item>(
  { items, ...listing }: Paging<Input, Output, Item>,
  input: Input,
  options: CallOptions = {},
): AsyncGenerator<Item, void, undefined> {
  for await (const page of everyPage(listing, input, options)) yield* items(page) ?? [];
}
