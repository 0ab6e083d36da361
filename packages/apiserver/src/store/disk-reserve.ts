import { errorCode } from "./files.ts";
import type { Files } from "./files.ts";

const BYTES = 4 * 1024 * 1024;

/** Whether an error says that there is no room left. */
export function isOutOfSpace(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOSPC" || code === "EDQUOT";
}

/** Space that is held back, so that on a full disk something can still be deleted. */
export class DiskReserve {
  readonly #files: Files;
  readonly #path: string;

  constructor(files: Files, directory: string) {
    this.#files = files;
    this.#path = `${directory}/reserve`;
  }

  /** Takes the space, if it is not taken already. False when the disk has not enough of it. */
  async hold(): Promise<boolean> {
    try {
      const file = await this.#open();
      try {
        if ((await file.size()) < BYTES) await file.write(Buffer.alloc(BYTES), 0);
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

  async #open() {
    try {
      return await this.#files.open(this.#path, "create");
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      return this.#files.open(this.#path, "edit");
    }
  }
}
