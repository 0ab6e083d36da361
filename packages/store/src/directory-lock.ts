import { readFile as readFileThen } from "node:fs";
import { promisify } from "node:util";
import { errorCode } from "./files.ts";
import type { Files } from "./files.ts";
import { StoreFileError } from "./store-file-error.ts";

const readFile = promisify(readFileThen);

interface Owner {
  readonly pid: number;
  /** Tells a process from a later one with the same pid, where the system says so. */
  readonly started: string;
}

/** Keeps attempts of one process apart. */
let attempts = 0;

/** When this process started, once somebody has asked. */
let ownStart: Promise<string> | undefined;

/**
 * Makes this process the only one that uses a directory, and returns what gives it back. Throws when another process that
 * still runs has it. The lock of a dead process is taken over. Works among the processes of one machine that see each
 * other's pids; a directory that several machines or containers mount needs a volume that only one of them can mount.
 */
export async function lockDirectory(files: Files, directory: string): Promise<() => Promise<void>> {
  const path = `${directory}/lock`;
  const mine = `${path}.${process.pid}.${++attempts}`;
  const owner: Owner = { pid: process.pid, started: await (ownStart ??= startOf(process.pid)) };
  await files.remove(mine);
  await writeText(files, mine, JSON.stringify(owner));
  try {
    for (;;) {
      try {
        await files.link(mine, path);
        return () => files.remove(path);
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
      }
      await removeIfStale(files, path, `${mine}.stale`);
    }
  } finally {
    await files.remove(mine);
  }
}

/** Removes the lock of a process that is gone. Of several processes that try, one removes it. */
async function removeIfStale(files: Files, path: string, aside: string): Promise<void> {
  const found = await readText(files, path);
  if (found === undefined) return;
  await refuseIfAlive(path, found);
  try {
    await files.rename(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readText(files, aside);
  if (moved !== found) await files.link(aside, path);
  await files.remove(aside);
}

async function refuseIfAlive(path: string, text: string): Promise<void> {
  const owner = parseOwner(text);
  if (owner === undefined || !isAlive(owner.pid)) return;
  const started = await startOf(owner.pid);
  if (started !== owner.started) return;
  const advice = "Stop that process, or use another directory";
  throw new StoreFileError(path, undefined, `the directory is in use by process ${owner.pid}`, advice);
}

function parseOwner(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Owner;
    return Number.isSafeInteger(owner.pid) && owner.pid > 0 ? owner : undefined;
  } catch {
    // A lock is linked when it is complete, so this one was lost in a crash of the machine.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

/** The boot and the tick at which a process started; empty where the system does not tell. */
async function startOf(pid: number): Promise<string> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return `${boot.trim()}/${fields[19]}`;
  } catch {
    return "";
  }
}

async function writeText(files: Files, path: string, text: string): Promise<void> {
  const file = await files.open(path, "create");
  try {
    await file.write(Buffer.from(text), 0);
  } finally {
    await file.close();
  }
}

async function readText(files: Files, path: string): Promise<string | undefined> {
  try {
    const file = await files.open(path, "read");
    try {
      const bytes = Buffer.alloc(4096);
      return bytes.toString("utf8", 0, await file.read(bytes, 0));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
