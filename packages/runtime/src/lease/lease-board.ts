/** Memory that the thread which renews a lease and the thread which writes share. Times are of a clock that both share. */
export interface LeaseBoard {
  readonly memory: SharedArrayBuffer;
  /** Until when the lease is certain to be held; -Infinity when it is not. */
  validUntil(): number;
  setValidUntil(ms: number): void;
  /** When the main thread last showed that it is alive. */
  lastBeat(): number;
  beat(ms: number): void;
}

const VALID_UNTIL = 0;
const BEAT = 1;
const NEVER = -(2n ** 63n);

/** A board, on memory that another thread made if it is given. */
export function leaseBoard(memory = new SharedArrayBuffer(16)): LeaseBoard {
  const cells = new BigInt64Array(memory);
  const load = (cell: number): number => {
    const nanos = Atomics.load(cells, cell);
    return nanos === NEVER ? Number.NEGATIVE_INFINITY : Number(nanos) / 1e6;
  };
  const store = (cell: number, ms: number): void => {
    Atomics.store(cells, cell, Number.isFinite(ms) ? BigInt(Math.floor(ms * 1e6)) : NEVER);
  };
  return {
    memory,
    validUntil: () => load(VALID_UNTIL),
    setValidUntil: (ms) => store(VALID_UNTIL, ms),
    lastBeat: () => load(BEAT),
    beat: (ms) => store(BEAT, ms),
  };
}
