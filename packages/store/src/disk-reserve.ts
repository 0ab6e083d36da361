import { errorCode } from "./files.ts";
import type { Files, OpenFile } from "./files.ts";

/** Whether an error says that there is no room left. */
export function isOutOfSpace(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Space that is held back, so that on a full disk something can still be deleted. */
export class DiskReserve {
  readonly #files: Files;
  readonly #path: string;
  readonly #bytes: number;

  constructor(files: Files, directory: string, bytes: number) {
    this.#files = files;
    this.#path = `${directory}/reserve`;
    this.#bytes = bytes;
  }

  /** Takes the space, if it is not taken already. False when the disk has not enough of it. */
  async hold(): Promise<boolean> {
    try {
      const file = await this.#open();
      try {
        if ((await file.size()) < this.#bytes) await file.write(Buffer.alloc(this.#bytes), 0);
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      await this.release();
      return false;
    }
  }

  /** Gives the space back. */
  async release(): Promise<void> {
    await this.#files.remove(this.#path);
  }

  async #open(): Promise<OpenFile> {
    try {
      return await this.#files.open(this.#path, "create");
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      return this.#files.open(this.#path, "edit");
    }
  }
}
