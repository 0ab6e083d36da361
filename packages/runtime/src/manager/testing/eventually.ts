import { systemClock } from "@gatewright/ports";

/** Resolves when the condition holds. Rejects after 20 s, with what was waited for. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = systemClock.monotonic() + 20_000;
  while (!(await holds())) {
    if (systemClock.monotonic() > end) throw new Error(`it never came true that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
