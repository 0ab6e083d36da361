/** What the exit codes of `status`, `why`, `try` and `watch` say. Documented in docs/cli.md. */
export const EXIT = {
  /** It is live. */
  ok: 0,
  /** It is not live, or not all of it. */
  notLive: 1,
  /** The command line asks for something that cannot be done. */
  usage: 2,
  /** It could not be found out. */
  unknown: 3,
  /** By SIGINT. */
  interrupted: 130,
} as const;
