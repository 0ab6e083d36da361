import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientReader, kindsNamed } from "@gatewright/explain";
import { core } from "@gatewright/kube/api";
import { keepAlive, systemClock, deadline } from "@gatewright/ports";
import { createClient, loadTransport } from "@gatewright/runtime";
import type { CommandContext } from "../run.ts";
import { candidates } from "./candidates.ts";
import type { Names } from "./candidates.ts";

/** Whoever types does not wait. */
const PATIENCE_MS = 2_000;

/** Prints what may stand at the last of the words, one a line. Never says why nothing does. */
export async function complete(
  args: readonly string[],
  commands: readonly string[],
  context: CommandContext,
): Promise<number> {
  const words = args[0] === "--" ? args.slice(1) : args;
  using _alive = keepAlive();
  const found = await candidates(words, commands, namesOf(context)).catch(() => []);
  process.stdout.write(found.map((each) => `${each}\n`).join(""));
  return 0;
}

function namesOf({ env, root }: CommandContext): Names {
  const reading = async <T>(
    work: (reader: ReturnType<typeof clientReader>, usual: string, signal: AbortSignal) => Promise<T>,
  ) => {
    using limit = deadline(systemClock, PATIENCE_MS);
    const { transport, config } = await loadTransport({ env });
    try {
      return await work(
        clientReader(createClient(transport, { fieldManager: "gatewright" })),
        config.namespace,
        limit.signal,
      );
    } finally {
      transport.close();
    }
  };
  return {
    async flags(command) {
      const main = join(root, "packages/cli/src/main.cjs");
      const { stdout } = await promisify(execFile)(process.execPath, [main, command, "--help"], {
        env,
        timeout: PATIENCE_MS,
      });
      return flagsIn(stdout);
    },
    namespaces: () =>
      reading(async (reader, _usual, signal) => {
        const seen = await reader.list(core.Namespace, {}, signal);
        return seen.state === "known" ? seen.items.map(({ metadata }) => metadata.name ?? "") : [];
      }),
    objects: (kind, namespace) =>
      reading(async (reader, usual, signal) => {
        const found = new Set<string>();
        for (const { resource } of kindsNamed(kind)) {
          const everywhere = namespace === undefined ? await reader.list(resource, {}, signal) : undefined;
          const seen =
            everywhere?.state === "known"
              ? everywhere
              : await reader.list(resource, { namespace: namespace ?? usual }, signal);
          if (seen.state === "known") for (const { metadata } of seen.items) found.add(metadata.name ?? "");
        }
        return [...found];
      }),
  };
}

/** The flags that a help text tells of. */
export function flagsIn(help: string): readonly string[] {
  const lines = help.split("\n").filter((line) => /^ {2}-/.test(line));
  return lines.flatMap((line) => Array.from(line.matchAll(/(?<= )--[a-z][-a-z]*/g), ([flag]) => flag).slice(0, 1));
}
