import { monitorEventLoopDelay } from "node:perf_hooks";

/** What a process uses, read when asked. */
export interface ProcessStats {
  cpuSeconds(): number;
  /** When the process began, since the Unix epoch. */
  startSeconds(): number;
  memory(): {
    readonly residentBytes: number;
    readonly heapUsedBytes: number;
    readonly heapTotalBytes: number;
    readonly externalBytes: number;
  };
  /** How late the event loop was since the measuring began. */
  loopDelay(): { readonly p99Seconds: number; readonly maxSeconds: number };
}

/** Of this process. Measures the event loop from the first call on; dispose of it to stop. */
export function systemProcessStats(): ProcessStats & Disposable {
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  return {
    cpuSeconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    startSeconds: () => performance.timeOrigin / 1000,
    memory() {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      return { residentBytes: rss, heapUsedBytes: heapUsed, heapTotalBytes: heapTotal, externalBytes: external };
    },
    loopDelay() {
      const none = delays.count === 0;
      return { p99Seconds: none ? 0 : delays.percentile(99) / 1e9, maxSeconds: none ? 0 : delays.max / 1e9 };
    },
    [Symbol.dispose]: () => void delays.disable(),
  };
}
