import { randomString } from "@gatewright/ports";
import type { Random } from "@gatewright/ports";

/** An id as ARNs of ELBv2 have them: 16 hexadecimal digits. */
export function newId(random: Random): string {
  return randomString(random, "0123456789abcdef", 16);
}
