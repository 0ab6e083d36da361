import type { CallOptions } from "./service-calls.ts";

/** How a listing goes on: what the next page is asked for with, where that is in a page, and what a page holds. */
export interface Paging<Input, Output, Item> {
  readonly list: (input: Input, options: CallOptions) => Promise<Output>;
  readonly items: (page: Output) => readonly Item[] | undefined;
  readonly next: (page: Output) => string | undefined;
  readonly follow: (input: Input, token: string) => Input;
}

/** Every item of a listing, page after page, as they are asked for. Not a snapshot: what changes meanwhile may be missed or come twice. */
export async function* pages<Input, Output, Item>(
  { list, items, next, follow }: Paging<Input, Output, Item>,
  input: Input,
  options: CallOptions = {},
): AsyncGenerator<Item, void, undefined> {
  for (let asked = input; ;) {
    const page = await list(asked, options);
    yield* items(page) ?? [];
    const token = next(page);
    if (token === undefined || token === "") return;
    asked = follow(input, token);
  }
}
