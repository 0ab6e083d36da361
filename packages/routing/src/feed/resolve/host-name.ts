import { isIP } from "node:net";

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}._-]{0,252}$/u;

/** Whether this can be dialled: a name or an address, without scheme, port and path. */
export function isHostName(text: string): boolean {
  return NAME.test(text) || isIP(text.replace(/^\[(.*)\]$/u, "$1")) !== 0;
}

/** What is said of a text that is none. */
export function notDiallable(text: string): string {
  return `${JSON.stringify(text)} is neither a name nor an address: write it without scheme, port and path`;
}
