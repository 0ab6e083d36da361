import { writeSync } from "node:fs";
import { link, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import type { Files, OpenFile } from "./files.ts";

const SMALL = 128 * 1024;
const FLAGS = { read: "r", edit: "r+", create: "wx+" } as const;

/** The machine's file system. */
export const nodeFiles: Files = {
  async makeDirectory(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  list: (directory) => readdir(directory),
  open: async (path, how) => openFile(await open(path, FLAGS[how], 0o600)),
  link,
  rename,
  remove: (path) => rm(path, { force: true }),
  async syncDirectory(path) {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

function openFile(handle: FileHandle): OpenFile {
  return {
    size: async () => (await handle.stat()).size,
    async read(into, position) {
      let done = 0;
      while (done < into.length) {
        const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return done;
    },
    async write(bytes, position) {
      // What is small goes to the page cache in less time than a way to the thread pool takes.
      let done = bytes.length > SMALL ? 0 : writeSync(handle.fd, bytes, 0, bytes.length, position);
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
}
