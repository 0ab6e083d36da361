import { Agent, request } from "node:http";

/** What requests of one kind came to. */
export interface Tally {
  ok: number;
  /** By status, or by the code of the error. */
  readonly failed: Map<string, number>;
}

/** Sends requests one after the other until told to stop; `agent` without keep-alive makes a connection for each. */
export async function traffic(
  port: number,
  paths: readonly string[],
  keepAlive: boolean,
  tally: Tally,
  stopped: () => boolean,
): Promise<void> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  for (let turn = 0; !stopped(); turn++) {
    const path = paths[turn % paths.length] ?? "/";
    const outcome = await once(port, path, agent, turn % 5 === 0 ? "x".repeat(turn % 20_000) : undefined);
    if (outcome === "ok") tally.ok++;
    else tally.failed.set(outcome, (tally.failed.get(outcome) ?? 0) + 1);
  }
  agent.destroy();
}

function once(port: number, path: string, agent: Agent, body: string | undefined): Promise<string> {
  return new Promise((resolve) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path, method, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => (text += chunk));
      answer.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      answer.on("end", () => {
        const whole = text === `${path} ${body?.length ?? 0}`;
        resolve(answer.statusCode === 200 ? (whole ? "ok" : "another answer") : String(answer.statusCode));
      });
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(body);
  });
}
