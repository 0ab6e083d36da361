import { describe, test } from "node:test";

/**
 * A suite that needs something which may not be there. Where it is missing the suite is one skipped test with the reason,
 * because the runner counts skipped tests and not skipped suites.
 */
export function suite(name: string, missing: string | false, body: () => void): void {
  if (missing === false) describe(name, body);
  else test(name, { skip: missing }, () => {});
}
