import { Agent, request } from "node:http";

export interface Reply {
  readonly status: number;
  readonly bytes: number;
  readonly text: () => string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** One HTTP request over a kept connection. */
export function call(url: string, method: string, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const all = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, bytes: all.length, text: () => all.toString() });
      });
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Runs `count` calls of `work`, `width` at a time. Resolves to calls per second. */
export async function rate(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return count / ((performance.now() - started) / 1000);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
