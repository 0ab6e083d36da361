import { rmSync } from "node:fs";
import { stateFolder } from "./folders.ts";
import { NotReadyError } from "./readiness.ts";
import { PartMissingError } from "./part-missing-error.ts";
import { isUp, readPartState, startedParts, takeDown, writePartState } from "./part-state.ts";
import type { PartState } from "./part-state.ts";
import { PARTS, partNamed } from "./parts.ts";
import type { Part } from "./part.ts";
import { isRunning } from "./processes.ts";

const USAGE = `npm run testbed -- up <part>...     build or fetch what is missing, and start
npm run testbed -- down [part...]   end these parts, or all
npm run testbed -- status           what runs

${PARTS.map(({ name, about }) => `${name.padEnd(14)}${about}`).join("\n")}`;

async function main([command = "help", ...names]: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !partNamed(name));
  if (unknown !== undefined) return fail(`there is no part ${unknown}\n\n${USAGE}`);
  const named = names.flatMap((name) => partNamed(name) ?? []);
  switch (command) {
    case "up":
      if (named.length === 0) return fail(USAGE);
      for (const part of named) await up(part);
      return 0;
    case "down":
      for (const name of names.length > 0 ? names : startedParts()) {
        if (await takeDown(name)) console.log(`${name} is down`);
        else console.log(`${name} was not up`);
      }
      return 0;
    case "status": {
      const shown = names.length > 0 ? names : startedParts();
      for (const name of shown) console.log(describe(name, readPartState(name)));
      if (shown.length === 0) console.log("nothing is up");
      return 0;
    }
    case "help":
      console.log(USAGE);
      return 0;
    default:
      return fail(USAGE);
  }
}

async function up(part: Part): Promise<void> {
  const known = readPartState(part.name);
  if (isUp(known)) {
    console.log(describe(part.name, known));
    return;
  }
  await takeDown(part.name);
  const folder = stateFolder(part.name);
  rmSync(folder, { recursive: true, force: true });
  stateFolder(part.name);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new PartMissingError("interrupted"));
  process.once("SIGINT", interrupt);
  const started = await part.start(folder, {
    progress: console.log,
    outlive: true,
    signal: interrupted.signal,
  });
  process.off("SIGINT", interrupt);
  const state = { part: part.name, ...started };
  writePartState(state);
  console.log(describe(part.name, state));
}

function describe(name: string, state: PartState | undefined): string {
  if (!state) return `${name}: down`;
  const ended = state.processes.filter((process) => !isRunning(process)).map((process) => process.name);
  const standing = ended.length > 0 ? `broken, ${ended.join(" and ")} ended` : "up";
  const facts = Object.entries(state.facts).map(([key, value]) => `  ${key}=${value}`);
  return [`${name} ${state.version}: ${standing}`, ...facts, `  logs in ${stateFolder(name)}/logs`].join("\n");
}

function fail(message: string): number {
  console.error(message);
  return 2;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // These say all that a user needs; anything else is a fault whose stack helps.
  const expected = error instanceof PartMissingError || error instanceof NotReadyError;
  console.error(expected ? `testbed: ${error.message}` : error);
  process.exitCode = 1;
}
