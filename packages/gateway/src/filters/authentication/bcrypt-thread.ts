import { Worker } from "node:worker_threads";
import { compare } from "bcryptjs";
import type { BcryptFinding, BcryptQuestion } from "./bcrypt-worker.ts";

/**
 * Compares secrets with bcrypt hashes on a thread of its own, which begins with the first question: a comparison takes the processor for a
 * tenth of a second, and requests must not wait for it. Where there can be no thread it is done here. Only open questions keep the process
 * alive.
 */
export class BcryptThread {
  readonly #open = new Map<number, { resolve(matches: boolean): void; reject(error: Error): void }>();
  #worker: Worker | undefined;
  #next = 0;

  async matches(secret: string, hash: string): Promise<boolean> {
    try {
      return await this.#ask(secret, hash);
    } catch {
      // The thread is gone, or there never was one.
      return compare(secret, hash);
    }
  }

  dispose(): void {
    void this.#worker?.terminate();
  }

  #ask(secret: string, hash: string): Promise<boolean> {
    const worker = (this.#worker ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    const id = this.#next++;
    this.#open.set(id, { resolve, reject });
    const question: BcryptQuestion = { id, secret, hash };
    worker.ref();
    worker.postMessage(question, []);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./bcrypt-worker.ts", import.meta.url), { execArgv: [] });
    worker.on("message", ({ id, matches }: BcryptFinding) => {
      const asked = this.#open.get(id);
      this.#open.delete(id);
      if (this.#open.size === 0) worker.unref();
      asked?.resolve(matches);
    });
    worker.on("error", (error) => this.#lost(error instanceof Error ? error : new Error("the thread failed")));
    worker.on("exit", () => this.#lost(new Error("the thread has ended")));
    return worker;
  }

  #lost(error: Error): void {
    this.#worker = undefined;
    for (const asked of this.#open.values()) asked.reject(error);
    this.#open.clear();
  }
}
