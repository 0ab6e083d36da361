import { createHash } from "node:crypto";
import type { Owner } from "@gatewright/aws-wire/types/s3";

/** The canonical user of an account: 64 hexadecimal digits that tell nothing, always the same for the same account. */
export function ownerOf(account: string): Required<Pick<Owner, "ID">> {
  return { ID: createHash("sha256").update(`canonical user of ${account}`).digest("hex") };
}
