import type { Files } from "./files.ts";
import { DiskJournal } from "./disk-journal.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { lockDirectory } from "./directory-lock.ts";
import { JournaledStore } from "./journaled-store.ts";
import type { JournaledStoreOptions } from "./journaled-store.ts";
import { nodeFiles } from "./node-files.ts";
import { recover } from "./recovery.ts";
import type { Store } from "./store.ts";

const COMPACT_FROM_BYTES = 16 * 1024 * 1024;
const RESERVE_BYTES = 4 * 1024 * 1024;

export interface DiskStoreOptions<T> extends JournaledStoreOptions<T> {
  /** Made when missing. Nothing else should be in it. */
  readonly directory: string;
  readonly files?: Files;
  /** Logs are compacted when they are larger than the data and than this. */
  readonly compactFromBytes?: number;
  /** Space held back for deletions on a full disk. */
  readonly reserveBytes?: number;
}

/**
 * Opens the store in a directory. Writes resolve when they are durable; whatever ends the process, the next start finds all
 * of them. Rejects with {@link StoreFileError} when another process uses the directory, when a file is damaged, or when a
 * newer version wrote it; the data is then left as it was.
 */
export async function openDiskStore<T>(options: DiskStoreOptions<T>): Promise<Store<T>> {
  const { directory, clock, log, files = nodeFiles, compactFromBytes = COMPACT_FROM_BYTES } = options;
  await files.makeDirectory(directory);
  const unlock = await lockDirectory(files, directory);
  try {
    const store = new JournaledStore(options);
    const recovered = await recover(files, directory, store, log);
    const reserve = new DiskReserve(files, directory, options.reserveBytes ?? RESERVE_BYTES);
    const journal = new DiskJournal(
      { files, directory, clock, reserve, unlock, log, compactFromBytes, unavailable: store.unavailable },
      recovered,
    );
    try {
      await journal.start();
    } catch (error) {
      await recovered.log.file.close();
      throw error;
    }
    store.resume(journal, recovered.limit);
    return store;
  } catch (error) {
    await unlock();
    throw error;
  }
}
