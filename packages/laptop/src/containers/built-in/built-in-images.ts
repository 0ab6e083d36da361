/** What a built-in image does. */
export interface BuiltInImage {
  /** Whether it answers HTTP. */
  readonly serves: boolean;
  /** What `AFTER_SECONDS` sets, and how many seconds it is when nobody does. */
  readonly after?: { readonly event: "listen" | "exit" | "sicken"; readonly seconds: number };
  /** The exit code when it exits by itself. `EXIT_CODE` changes it. */
  readonly exitCode?: number;
}

/** Images that run within this process, by repository. */
export const BUILT_IN_IMAGES: ReadonlyMap<string, BuiltInImage> = new Map<string, BuiltInImage>([
  ["gatewright/echo", { serves: true }],
  ["gatewright/slow-start", { serves: true, after: { event: "listen", seconds: 5 } }],
  ["gatewright/unhealthy", { serves: true, after: { event: "sicken", seconds: 10 } }],
  ["gatewright/crash", { serves: true, after: { event: "exit", seconds: 1 }, exitCode: 1 }],
  ["gatewright/complete", { serves: false, after: { event: "exit", seconds: 0 }, exitCode: 0 }],
  ["gatewright/fail", { serves: false, after: { event: "exit", seconds: 0 }, exitCode: 1 }],
]);
