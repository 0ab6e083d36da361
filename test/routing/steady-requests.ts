import { Agent, request } from "node:http";

/** What requests came to. */
export interface Tally {
  right: number;
  /** What else came, with the time since the beginning. */
  readonly wrong: string[];
}

export interface SteadyRequests {
  readonly tally: Tally;
  /** Lets those under way end. */
  stop(): Promise<void>;
}

/**
 * Sends requests one after the other on several connections, some of them kept, until it is told to stop. Each must be answered 200 by
 * one of the backends that it may be answered by, with its path.
 */
export function steadyRequests(port: number, paths: readonly string[], right: ReadonlySet<string>): SteadyRequests {
  const tally: Tally = { right: 0, wrong: [] };
  const began = performance.now();
  let isStopped = false;
  const client = async (keepAlive: boolean, first: number): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let turn = first; !isStopped; turn++) {
      const path = `${paths[turn % paths.length]}/${turn}`;
      const [what, by] = await asked(port, path, agent);
      if (what === `200 ${path}` && right.has(by)) tally.right++;
      else tally.wrong.push(`${path} at ${Math.round(performance.now() - began)} ms: ${what} by ${by}`);
    }
    agent.destroy();
  };
  const clients = [true, true, true, false].map((keepAlive, at) => client(keepAlive, at * 3));
  return {
    tally,
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

/** `200 /path`, and who said it. */
function asked(port: number, path: string, agent: Agent): Promise<readonly [what: string, by: string]> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve([error.code ?? error.message, "nobody"]);
    const sent = request({ host: "127.0.0.1", port, path, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (text += chunk));
      answer.on("error", failed);
      answer.on("end", () => resolve([`${answer.statusCode} ${text}`, String(answer.headers["x-backend"])]));
    });
    sent.on("error", failed);
    sent.end();
  });
}
