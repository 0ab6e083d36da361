import { MalformedError } from "../malformed-error.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** A body that must be UTF-8. */
export function bodyText(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new MalformedError("the body is not UTF-8");
  }
}
