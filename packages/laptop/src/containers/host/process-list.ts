import { execFile } from "node:child_process";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface Entry {
  readonly pid: number;
  /** When the process began, as the system tells it: numbers of processes are used again. */
  readonly began: string;
}

/**
 * The processes that were started, in a file, so that the next process of this program can end those that a killed one has left
 * behind. Each is the leader of a group of its own.
 */
export class ProcessList {
  readonly #path: string;
  readonly #entries = new Map<number, Entry>();
  #saving: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Kills the groups that an earlier process has left. Returns how many there were. */
  async sweep(signal: AbortSignal): Promise<number> {
    let text: string;
    try {
      text = await readFile(this.#path, { encoding: "utf8", signal });
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "ENOENT") return 0;
      throw error;
    }
    let swept = 0;
    for (const { pid, began } of entriesIn(text)) {
      if (began === "" || (await beginning(pid)) !== began) continue;
      killGroup(pid, "SIGKILL");
      swept++;
    }
    await this.#save();
    return swept;
  }

  async add(pid: number): Promise<void> {
    this.#entries.set(pid, { pid, began: await beginning(pid) });
    await this.#save();
  }

  async remove(pid: number): Promise<void> {
    if (this.#entries.delete(pid)) await this.#save();
  }

  /** One write after the other; a crash leaves the old file or the new one. */
  #save(): Promise<void> {
    const write = async (): Promise<void> => {
      const fresh = `${this.#path}.new`;
      await mkdir(dirname(this.#path), { recursive: true });
      await writeFile(fresh, JSON.stringify([...this.#entries.values()]), { mode: 0o600 });
      await rename(fresh, this.#path);
    };
    this.#saving = this.#saving.then(write, write);
    return this.#saving;
  }
}

/** Sends a signal to a process and all that it has started. One that is gone is left alone. */
export function killGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ESRCH") throw error;
  }
}

function entriesIn(text: string): readonly Entry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return []; // written by hand or by nobody: there is nothing in it to go by
  }
  return Array.isArray(parsed) ? parsed.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  const { pid, began } = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof pid === "number" && Number.isInteger(pid) && pid > 1 && typeof began === "string";
}

/** When a process began, in the words of the system; empty when there is none. */
async function beginning(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; the 20th field after it is the time in ticks since the machine has started.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return startedByPs(pid); // no such process, or a system without /proc
  }
}

function startedByPs(pid: number): Promise<string> {
  return new Promise((resolve) => {
    execFile("ps", ["-o", "lstart=", "-p", String(pid)], (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
}
