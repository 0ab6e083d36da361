import { parentPort } from "node:worker_threads";
import { compareSync } from "bcryptjs";

/** A comparison that the thread is asked for. */
export interface BcryptQuestion {
  readonly id: number;
  readonly secret: string;
  readonly hash: string;
}

/** What came of it. */
export interface BcryptFinding {
  readonly id: number;
  readonly matches: boolean;
}

/** The thread that compares, one question after the other. */
if (parentPort !== null) {
  const port = parentPort;
  port.on("message", ({ id, secret, hash }: BcryptQuestion) => {
    const finding: BcryptFinding = { id, matches: compareSync(secret, hash) };
    port.postMessage(finding, []);
  });
}
