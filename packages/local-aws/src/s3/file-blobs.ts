import { link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "@gatewright/ports";
import { BlobMissingError } from "./blobs.ts";
import type { Blobs } from "./blobs.ts";

/** Blobs that outlive the process, and with them what a process that was killed left behind. */
export interface FileBlobs extends Blobs {
  /** Removes all but those that are still told of, and drafts. Only before anybody puts something. Gives how many it removed. */
  sweep(used: ReadonlySet<string>, signal?: AbortSignal): Promise<number>;
}

/** Blobs as files of a directory, one each. A file is whole and on disk before it has its name, and the name before it is told. */
export async function openFileBlobs(directory: string, random: Random): Promise<FileBlobs> {
  await mkdir(directory, { recursive: true });
  const newId = (): string => Buffer.from(random.bytes(16)).toString("hex");

  return {
    async put(bytes, signal) {
      signal.throwIfAborted();
      const id = newId();
      const draft = join(directory, `${id}.draft`);
      const file = await open(draft, "wx");
      try {
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await rename(draft, join(directory, id));
      await syncNames(directory);
      return id;
    },
    async get(id, { start, end }, signal) {
      signal.throwIfAborted();
      const file = await open(pathOf(directory, id), "r").catch((cause: unknown) => {
        throw new BlobMissingError(id, { cause });
      });
      try {
        const bytes = Buffer.alloc(end - start);
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
          if (bytesRead === 0) throw new BlobMissingError(id);
          filled += bytesRead;
        }
        return bytes;
      } finally {
        await file.close();
      }
    },
    async copy(id, signal) {
      signal.throwIfAborted();
      const copy = newId();
      // A blob never changes, so that a second name for the file is as good as a second file.
      await link(pathOf(directory, id), join(directory, copy)).catch((cause: unknown) => {
        throw new BlobMissingError(id, { cause });
      });
      await syncNames(directory);
      return copy;
    },
    async delete(id) {
      if (OWN_ID.test(id)) await rm(join(directory, id), { force: true });
    },
    async sweep(used, signal) {
      const waste = (await readdir(directory)).filter((name) => OWN_FILE.test(name) && !used.has(name));
      for (const name of waste) {
        signal?.throwIfAborted();
        await rm(join(directory, name), { force: true });
      }
      return waste.length;
    },
  };
}

const OWN_ID = /^[0-9a-f]{32}$/;
/** Nothing else in the directory is ours to remove. */
const OWN_FILE = /^[0-9a-f]{32}(?:\.draft)?$/;

/** New names in a directory survive a power cut only once the directory itself is on disk. */
async function syncNames(directory: string): Promise<void> {
  const names = await open(directory, "r");
  try {
    await names.sync();
  } finally {
    await names.close();
  }
}

/** Ids come from our own records; one that is none of ours must not lead out of the directory all the same. */
function pathOf(directory: string, id: string): string {
  if (!OWN_ID.test(id)) throw new BlobMissingError(id);
  return join(directory, id);
}
