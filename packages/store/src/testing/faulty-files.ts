import type { Files, OpenFile } from "../files.ts";

/** What a crash leaves of that which was not synced. */
export type Aftermath =
  /** All: the process was killed, the machine lives. */
  | { readonly kind: "kept" }
  /** Nothing: the power went. */
  | { readonly kind: "lost" }
  /** Any part: of bytes a share and some blocks in it, of changes to names some, in no order. */
  | {
      readonly kind: "torn";
      readonly bytes: number;
      readonly names: (index: number) => boolean;
      readonly block: (index: number) => boolean;
    };

interface Inode {
  now: Buffer;
  synced: Buffer;
}

type NameChange = (names: Map<string, Inode>) => void;

interface Fault {
  readonly call: number;
  /** `crash` ends the process at this call, with its work half done; otherwise the code of the error it gives. */
  readonly code: string;
}

const BLOCK = 16;

/** A disk in memory that fails as it is told. For tests: it can lose all that a real disk may lose, and no more. */
export class FaultyFiles implements Files {
  /** The operations that were asked for, so that a fault can be put at each. */
  readonly calls: string[] = [];
  readonly crashed: Promise<void>;
  fault: Fault | undefined;
  /** Bytes that fit on the disk. */
  capacity = Infinity;
  /** An error code for every sync, or undefined. */
  syncFails: string | undefined;
  #names = new Map<string, Inode>();
  #syncedNames = new Map<string, Inode>();
  /** Changes to names since the directory was synced. */
  #renames: NameChange[] = [];
  #dead = false;
  #crash: () => void;

  constructor(names: ReadonlyMap<string, Buffer> = new Map()) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.crashed = promise;
    this.#crash = resolve;
    for (const [name, bytes] of names) this.#names.set(name, { now: bytes, synced: bytes });
    this.#syncedNames = new Map(this.#names);
  }

  /** The content of each file as a process sees it. */
  get contents(): Map<string, Buffer> {
    return new Map([...this.#names].map(([name, inode]) => [name, inode.now]));
  }

  /** The disk as the next process finds it. The lock of the dead process is gone, as if its pid were. */
  restart(after: Aftermath = { kind: "kept" }): FaultyFiles {
    const names = new Map(this.#syncedNames);
    for (const [index, change] of this.#renames.entries()) {
      if (after.kind === "kept" || (after.kind === "torn" && after.names(index))) change(names);
    }
    const left = new Map([...names].map(([name, inode]) => [name, remains(inode, after)]));
    left.delete([...left.keys()].find((name) => name.endsWith("/lock")) ?? "");
    return new FaultyFiles(left);
  }

  makeDirectory(): Promise<void> {
    return this.#do("makeDirectory", () => {});
  }

  list(directory: string): Promise<string[]> {
    const inside = (): string[] => [...this.#names.keys()].filter((name) => name.startsWith(`${directory}/`));
    return this.#do("list", () => inside().map((name) => name.slice(directory.length + 1)));
  }

  open(path: string, how: "read" | "edit" | "create"): Promise<OpenFile> {
    return this.#do(`open ${path}`, () => {
      const found = this.#names.get(path);
      if (how !== "create") return this.#opened(path, found ?? fail("ENOENT"));
      if (found !== undefined) fail("EEXIST");
      const inode: Inode = { now: Buffer.alloc(0), synced: Buffer.alloc(0) };
      this.#rename((names) => names.set(path, inode));
      return this.#opened(path, inode);
    });
  }

  link(path: string, name: string): Promise<void> {
    return this.#do(`link ${path}`, () => {
      if (this.#names.has(name)) fail("EEXIST");
      const inode = this.#names.get(path) ?? fail("ENOENT");
      this.#rename((names) => names.set(name, inode));
    });
  }

  rename(from: string, to: string): Promise<void> {
    return this.#do(`rename ${from}`, () => {
      const inode = this.#names.get(from) ?? fail("ENOENT");
      this.#rename((names) => names.set(to, inode).delete(from));
    });
  }

  remove(path: string): Promise<void> {
    return this.#do(`remove ${path}`, () => this.#rename((names) => names.delete(path)));
  }

  syncDirectory(): Promise<void> {
    return this.#do("syncDirectory", () => {
      if (this.syncFails !== undefined) fail(this.syncFails);
      this.#syncedNames = new Map(this.#names);
      this.#renames = [];
    });
  }

  #opened(path: string, inode: Inode): OpenFile {
    return {
      size: () => this.#do(`size ${path}`, () => inode.now.length),
      read: (into, position) => this.#do(`read ${path}`, () => inode.now.copy(into, 0, position)),
      write: (bytes, position) => {
        const half = (): void => put(inode, bytes.subarray(0, bytes.length >>> 1), position);
        return this.#do(`write ${path}`, () => this.#write(inode, bytes, position), half);
      },
      sync: () =>
        this.#do(`sync ${path}`, () => {
          if (this.syncFails !== undefined) fail(this.syncFails);
          inode.synced = inode.now;
        }),
      truncate: (length) => this.#do(`truncate ${path}`, () => void (inode.now = inode.now.subarray(0, length))),
      close: () => this.#do(`close ${path}`, () => {}),
    };
  }

  #write(inode: Inode, bytes: Buffer, position: number): void {
    let used = 0;
    for (const other of new Set(this.#names.values())) used += other.now.length;
    const room = Math.max(0, this.capacity - used + inode.now.length - position);
    put(inode, bytes.subarray(0, room), position);
    if (room < bytes.length) fail("ENOSPC");
  }

  #rename(change: NameChange): void {
    change(this.#names);
    this.#renames.push(change);
  }

  /** Does one operation, or what the fault leaves of it. A dead process never hears the end of what it began. */
  async #do<T>(call: string, work: () => T, half: () => void = () => {}): Promise<T> {
    if (this.#dead) return new Promise(() => {});
    this.calls.push(call);
    if (this.fault?.call === this.calls.length) {
      half();
      if (this.fault.code !== "crash") fail(this.fault.code);
      this.#dead = true;
      this.#crash();
      return new Promise(() => {});
    }
    await Promise.resolve();
    return work();
  }
}

function put(inode: Inode, bytes: Buffer, position: number): void {
  const length = Math.max(inode.now.length, position + bytes.length);
  const next = Buffer.alloc(length);
  inode.now.copy(next);
  bytes.copy(next, position);
  inode.now = next;
}

function remains(inode: Inode, after: Aftermath): Buffer {
  if (after.kind === "kept" || inode.now === inode.synced) return inode.now;
  if (after.kind === "lost") return inode.synced;
  const { now, synced } = inode;
  const length = Math.round(synced.length + after.bytes * (now.length - synced.length));
  const left = Buffer.alloc(length);
  for (let at = 0; at < length; at += BLOCK) {
    const from = after.block(at / BLOCK) ? now : synced;
    if (at < from.length) from.copy(left, at, at, Math.min(at + BLOCK, length));
  }
  return left;
}

function fail(code: string): never {
  throw Object.assign(new Error(`${code}: the disk was told to fail`), { code });
}
