import { Agent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";

export interface Reply {
  readonly status: number;
  readonly bytes: number;
  text(): string;
}

export interface Call {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const options = { keepAlive: true, maxSockets: 256 };
const plain = new Agent(options);
// Both servers under test sign their own certificates, and what is measured is not trust.
const secure = new SecureAgent({ ...options, rejectUnauthorized: false });

/** One request over a kept connection. `onData` takes the body as it comes, instead of its being gathered. */
export function call(
  url: string,
  { method = "GET", body, headers }: Call = {},
  onData?: (chunk: Buffer) => void,
): { readonly reply: Promise<Reply>; end(): void } {
  const isSecure = url.startsWith("https:");
  const typed =
    body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const sent = (isSecure ? secureRequest : plainRequest)(url, {
    method,
    agent: isSecure ? secure : plain,
    headers: { ...typed, ...headers },
  });
  const reply = new Promise<Reply>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const status = response.statusCode ?? 0;
      response.on("error", reject);
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (onData) onData(chunk);
        else chunks.push(chunk);
      });
      if (onData) resolve({ status, bytes: 0, text: () => "" });
      response.on("end", () => resolve({ status, bytes, text: () => Buffer.concat(chunks).toString() }));
    });
    sent.end(body);
  });
  return { reply, end: () => void sent.destroy() };
}

/** Runs `count` calls of `work`, `width` at a time. Resolves to the milliseconds that it took. */
export async function many(count: number, width: number, work: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
