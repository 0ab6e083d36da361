import { AnswerBound, endless } from "./answer-bound.ts";
import type { CallOptions } from "./service-calls.ts";

/** How a listing goes on: where a page tells how, and what the next one is asked for with. */
export interface Listing<Input, Output> {
  readonly list: (input: Input, options: CallOptions) => Promise<Output>;
  readonly next: (page: Output) => string | undefined;
  readonly follow: (input: Input, token: string) => Input;
}

export interface ListingOptions extends CallOptions {
  /** Counts what else is kept along with the pages. Default: the pages alone are counted. */
  readonly bound?: AnswerBound;
}

/** Ten times what any listing of an account takes. */
const MOST_PAGES = 1_000;

/**
 * Every page of a listing, as they are asked for. A listing that leads back to where it was, or that does not end, rejects with
 * `MalformedAnswer` and is not followed: endpoints may be anybody's.
 */
export async function* everyPage<Input, Output extends object>(
  { list, next, follow }: Listing<Input, Output>,
  input: NoInfer<Input>,
  { bound = new AnswerBound(), ...options }: ListingOptions = {},
): AsyncGenerator<Output, void, undefined> {
  const tokens = new Set<string>();
  for (let asked: Input = input; ;) {
    const page = await list(asked, options);
    bound.took(page);
    yield page;
    const token = next(page);
    if (token === undefined || token === "") return;
    if (tokens.has(token)) throw endless(page, "the listing leads back to a page that it had");
    tokens.add(token);
    if (tokens.size >= MOST_PAGES) throw endless(page, `the listing has more than ${MOST_PAGES} pages`);
    asked = follow(input, token);
  }
}
