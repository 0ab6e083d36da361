import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stateFolder } from "./folders.ts";
import { endAll, isRunning } from "./processes.ts";
import type { PartProcess } from "./processes.ts";

/** What a started part leaves behind, so that another process can find and end it. */
export interface PartState {
  readonly part: string;
  readonly version: string;
  /** In the order in which they are to be ended. */
  readonly processes: readonly PartProcess[];
  /** What a user wants to know: addresses and files, never secrets. */
  readonly facts: Readonly<Record<string, string>>;
}

const fileOf = (part: string): string => join(stateFolder(part), "state.json");

export function readPartState(part: string): PartState | undefined {
  const file = fileOf(part);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as PartState) : undefined;
}

export function writePartState(state: PartState): void {
  const file = fileOf(state.part);
  writeFileSync(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Names of all parts that were started and not yet ended. */
export function startedParts(): string[] {
  return readdirSync(stateFolder("")).filter((part) => existsSync(fileOf(part)));
}

/** Whether all processes of a started part run. */
export function isUp(state: PartState | undefined): state is PartState {
  return state !== undefined && state.processes.every(isRunning);
}

/** Ends what runs of a part. The logs stay for those who want to know what happened; gives whether there was anything. */
export async function takeDown(part: string): Promise<boolean> {
  const state = readPartState(part);
  if (!state) return false;
  await endAll(state.processes);
  rmSync(fileOf(part));
  return true;
}
