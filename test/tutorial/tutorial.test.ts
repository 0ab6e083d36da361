import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess, SpawnOptionsWithoutStdio } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { awsClients } from "../tools/aws-clients.ts";
import { tools } from "../tools/layer.ts";
import { shellBlocks } from "./blocks.ts";
import type { Block } from "./blocks.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = join(ROOT, "docs", "tutorial.md");
/** The folder that a newcomer has after a clone. */
const CLONED = ["package.json", "packages", "node_modules", "examples"];
const BLOCK_MS = 240_000;

const kubectl = tools("1.36");
const aws = awsClients();
const missing = "missing" in kubectl ? kubectl.missing : undefined;

test(
  "a newcomer who types the tutorial's commands gets a hostname over HTTPS, breaks it, is told why, and takes it away",
  { skip: missing ?? false },
  async (t) => {
    assert.ok(!("missing" in kubectl));
    const folder = mkdtempSync(join(tmpdir(), "gatewright-tutorial-"));
    for (const name of CLONED) symlinkSync(join(ROOT, name), join(folder, name));
    const path = [dirname(kubectl.kubectl), ...("missing" in aws ? [] : [dirname(aws.aws)]), process.env["PATH"]];
    // Other worlds on this machine are not in the way.
    const env = { ...process.env, PATH: path.join(delimiter), PORT: "0", NO_COLOR: "1" };
    const [start, ...rest] = shellBlocks(readFileSync(PAGE, "utf8"));
    assert.equal(start?.commands, "npm ci\nnpm start");
    const world = spawn("npm", ["start"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
    t.after(async () => {
      await ended(world);
      rmSync(folder, { recursive: true, force: true });
    });
    let greeting = "";
    for await (const chunk of world.stdout.setEncoding("utf8")) {
      greeting += String(chunk);
      if (greeting.includes("To try")) break;
    }
    assert.match(greeting, /^ {2}Console +http/m);
    assert.ok(rest.length > 10);
    const typing = { cwd: folder, env: { ...env, KUBECONFIG: join(folder, ".gatewright", "kubeconfig") } };
    // What comes after a block stands on it.
    let failed = false;
    for (const block of rest) {
      const name = `line ${block.line}: ${block.commands.split("\n")[0]}`;
      await t.test(name, { skip: block.needs === "aws" && "missing" in aws ? aws.missing : false }, async () => {
        failed = true;
        await typed(block, typing);
        failed = false;
      });
      if (failed) break;
    }
  },
);

/** Types a block into a shell of its own. */
async function typed({ commands, exits }: Block, typing: SpawnOptionsWithoutStdio): Promise<void> {
  const shell = spawn("bash", ["-eu", "-c", commands], { ...typing, timeout: BLOCK_MS });
  let said = "";
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-8_000)));
  const [code, signal] = (await once(shell, "close")) as [number | null, string | null];
  assert.equal(code, exits, `exit ${code ?? signal} of:\n${commands}\n\n${said}`);
}

/** npm does not pass signals on to what it started, so the whole group is asked to end, as by Ctrl-C in a terminal. */
async function ended(world: ChildProcess): Promise<void> {
  if (world.exitCode !== null || world.pid === undefined) return;
  const gone = once(world, "exit");
  process.kill(-world.pid, "SIGINT");
  await gone;
}
