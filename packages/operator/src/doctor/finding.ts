/** How something is. `warn`: it may be meant, or could not be found out. `fail`: the operator would not do its work. */
export type Verdict = "ok" | "warn" | "fail";

/** What was looked at, how it is, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly message: string;
  /** What a person can do; undefined when there is nothing to do. */
  readonly remedy?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, verdict: "ok", message });

export const warn = (check: string, message: string, remedy: string): Finding => ({
  check,
  verdict: "warn",
  message,
  remedy,
});

export const fail = (check: string, message: string, remedy: string): Finding => ({
  check,
  verdict: "fail",
  message,
  remedy,
});
