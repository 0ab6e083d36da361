import { isIPv6 } from "node:net";
import { BadMessage } from "./bad-message.ts";

const AUTHORITY = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|\[([0-9a-f:.]+)\])(?::(\d{1,5}))?$/;

let known = "";
let knownNormal = "";

/** A host with a port perhaps, lower-case. Throws `BadMessage` unless it is a name or an address. */
export function normalAuthority(authority: string): string {
  if (authority === known && known !== "") return knownNormal;
  const normal = authority.toLowerCase();
  const found = AUTHORITY.exec(normal);
  if (
    found === null ||
    normal.length > 261 ||
    normal.includes("..") ||
    (found[1] !== undefined && !isIPv6(found[1])) ||
    Number(found[2] ?? 0) > 65_535
  ) {
    throw new BadMessage(400, "the host is neither a name nor an address");
  }
  known = authority;
  knownNormal = normal;
  return normal;
}
