/**
 * What outlives a table: pools, buckets, breakers, health, keys, caches. Compiling a configuration asks for state by kind, name and
 * content; the same three give the same state as before, so an edit resets only what it changes. What the newest table did not ask
 * for is disposed of once no request uses an older table.
 */
export interface KeptState {
  /**
   * `kind` and `name` say whose it is (`rateLimit`, `default/hello`); `content` is the part of the specification that it depends
   * on, as JSON. `make` is called when there is none.
   */
  of<T extends object>(kind: string, name: string, content: unknown, make: () => Kept<T>): T;
}

/** State, and how to end it: timers, sockets. */
export interface Kept<T extends object> {
  readonly state: T;
  dispose?(): void;
}
