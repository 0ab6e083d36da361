import type { Given } from "../../engine/given.ts";
import type { Ground } from "../../engine/session.ts";

/** Some AWS that kinds are tried on: the local one, or another that speaks its wire. */
export interface KindStage extends AsyncDisposable {
  readonly ground: Ground;
  /** What SDKs take to look at the same AWS by themselves. */
  sdk(): SdkWay;
  /** Awaits work, letting time pass meanwhile where time is virtual. */
  readonly passing: <T>(work: Promise<T>) => Promise<T>;
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>;
  /** How often a resource is looked at before it counts as never ready. Default: 2,000 times. */
  readonly mostLooks?: number;
}

/** How a client of the AWS SDK gets to a stage. */
export interface SdkWay {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly forcePathStyle: true;
  readonly maxAttempts: number;
  /** How far the time of the stage is ahead of the system's, for signatures. */
  readonly systemClockOffset: number;
}

/** References that lead to these values, by path. A value is its own version. */
export function givenOf(values: Readonly<Record<string, string>> = {}): Given {
  const found = new Map(Object.entries(values));
  return { value: (path) => found.get(path), version: (path) => found.get(path) };
}
