import type { ServedService } from "./served-service.ts";

const MEBIBYTE = 1024 * 1024;

/** How many bytes the body of a request to a service may have; without a service, those of any. */
export function bodyLimit(served: ServedService | undefined): number {
  return (served?.model.name === "s3" ? 256 : 8) * MEBIBYTE;
}
