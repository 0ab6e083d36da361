import { invalidArgument } from "./refusals.ts";

const MOST = 1000;

/** A key as a list tells it: encoded when asked for, because XML cannot carry every character. */
export function keyText(key: string, encoding: string | undefined): string {
  return encoding === "url" ? encodeURIComponent(key).replaceAll("%2F", "/") : key;
}

/** How many entries a page has at most: what was asked for, and never more than 1,000. */
export function mostOf(asked: number | undefined, name: string): number {
  if (asked !== undefined && (asked < 0 || asked > 2_147_483_647)) {
    throw invalidArgument(`Argument ${name} must be an integer between 0 and 2147483647`, name, asked);
  }
  return Math.min(asked ?? MOST, MOST);
}
