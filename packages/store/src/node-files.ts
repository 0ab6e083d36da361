import * as fs from "node:fs";
import { promisify } from "node:util";
import type { Files, OpenFile } from "./files.ts";

/*
 * Callbacks made into promises, rather than node:fs/promises: that takes longer to load, and its handles cost more at each
 * sync.
 */
const close = promisify(fs.close);
const datasync = promisify(fs.fdatasync);
const fstat = promisify(fs.fstat);
const mkdir = promisify(fs.mkdir);
const open = promisify(fs.open);
const read = promisify(fs.read);
const rm = promisify(fs.rm);
const sync = promisify(fs.fsync);
const truncate = promisify(fs.ftruncate);
const write = promisify(fs.write);

const SMALL = 128 * 1024;
const FLAGS = { read: "r", edit: "r+", create: "wx+" } as const;

/** The machine's file system. */
export const nodeFiles: Files = {
  async makeDirectory(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  list: promisify(fs.readdir),
  open: async (path, how) => openFile(await open(path, FLAGS[how], 0o600)),
  link: promisify(fs.link),
  rename: promisify(fs.rename),
  remove: (path) => rm(path, { force: true }),
  async syncDirectory(path) {
    const directory = await open(path, "r");
    try {
      await sync(directory);
    } finally {
      await close(directory);
    }
  },
};

function openFile(opened: number): OpenFile {
  let closed = false;
  /** The number of a file that was closed may be that of another one by now. */
  const file = (): number => {
    if (closed) throw new Error("the file is closed");
    return opened;
  };
  return {
    size: async () => (await fstat(file())).size,
    async read(into, position) {
      let done = 0;
      while (done < into.length) {
        const { bytesRead } = await read(file(), into, done, into.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return done;
    },
    async write(bytes, position) {
      // What is small goes to the page cache in less time than a way to the thread pool takes.
      let done = bytes.length > SMALL ? 0 : fs.writeSync(file(), bytes, 0, bytes.length, position);
      while (done < bytes.length) {
        const { bytesWritten } = await write(file(), bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    sync: async () => datasync(file()),
    truncate: async (length) => truncate(file(), length),
    async close() {
      if (closed) return;
      closed = true;
      await close(opened);
    },
  };
}
