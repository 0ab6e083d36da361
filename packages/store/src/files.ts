/** A file that is open. Errors are those of node:fs, told apart by their `code`. */
export interface OpenFile {
  size(): Promise<number>;
  /** Reads until `into` is full or the file ends, and says how much that was. */
  read(into: Buffer, position: number): Promise<number>;
  /** Writes all bytes. When it rejects, any part of them may be in the file. */
  write(bytes: Buffer, position: number): Promise<void>;
  /** Resolves when everything written so far, and the file's length, survives a power loss. */
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** The file operations that a store is made of. Only the owner may read or enter what is made: secrets are inside. */
export interface Files {
  /** Makes the directory and those above it, where missing. */
  makeDirectory(path: string): Promise<void>;
  list(directory: string): Promise<string[]>;
  /** `create` makes a new file and rejects with EEXIST when there is one; `edit` opens one for reading and writing. */
  open(path: string, how: "read" | "edit" | "create"): Promise<OpenFile>;
  /** Gives a file a second name. Rejects with EEXIST when that name is taken. */
  link(path: string, name: string): Promise<void>;
  /** Replaces what was at `to`, in one step. */
  rename(from: string, to: string): Promise<void>;
  /** A file that is not there counts as removed. */
  remove(path: string): Promise<void>;
  /** Resolves when names made, changed and removed in the directory so far survive a power loss. */
  syncDirectory(path: string): Promise<void>;
}

/** The `code` of an error of node:fs. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
