import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { ManualClock, systemClock } from "@gatewright/ports";
import type { Address } from "../../network/cluster-network.ts";
import { ContainerLog } from "../container-log.ts";
import type { ContainerSpec } from "../container-runtime.ts";
import { HostProcessesRefusedError, hostProcesses } from "./host-processes.ts";
import { commandFor, readImageCommands } from "./image-commands.ts";
import type { ImageCommand } from "./image-commands.ts";

const SERVER = `
  const { createServer } = require("node:http");
  process.on("SIGTERM", () => { console.log("told to end"); process.exit(7); });
  createServer((request, response) => response.end(JSON.stringify(process.env))).listen(process.env.PORT, () => console.log("up"));
`;
const STUBBORN = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.log("up");`;
/** Leaves a child behind that would outlive it. */
const PARENT = `
  const { spawn } = require("node:child_process");
  console.log(spawn("sleep", ["300"]).pid);
  setInterval(() => {}, 1000);
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatewright-host-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const never = new AbortController().signal;
const command = (script: string, more: Partial<ImageCommand> = {}): ImageCommand => ({
  image: "team/app",
  command: process.execPath,
  args: ["-e", script],
  cwd: folder,
  env: {},
  trustPods: false,
  ...more,
});

function specFor(more: Partial<ContainerSpec> = {}): {
  spec: ContainerSpec;
  opened: Map<number, Address>;
  log: ContainerLog;
} {
  const opened = new Map<number, Address>();
  const log = new ContainerLog(systemClock);
  const spec: ContainerSpec = {
    pod: { namespace: "ns", name: "p", uid: "uid", ip: "10.244.0.2" },
    name: "main",
    image: "team/app:v1",
    restarts: 0,
    command: [],
    args: ["--evil"],
    env: new Map(),
    secretEnv: new Set(),
    ports: [8080],
    files: new Map(),
    ends: false,
    opened: (port, address) => opened.set(port, address),
    log,
    ...more,
  };
  return { spec, opened, log };
}

const start = async (commands: readonly ImageCommand[], spec: ContainerSpec) => {
  const runtime = await hostProcesses({ clock: systemClock, commands, folder, access: "loopback" }, never);
  return runtime.start(spec, never);
};

/** Waits for a line of a log, and gives it. */
async function line(log: ContainerLog, matches: (text: string) => boolean): Promise<string> {
  let text = "";
  for await (const part of log.read({ follow: true, timestamps: false }, never)) {
    text += Buffer.from(part).toString();
    const found = text.split("\n").find(matches);
    if (found !== undefined) return found;
  }
  throw new Error(`no such line in ${text}`);
}

test("host processes are refused where others than the local admin are let in", async () => {
  const options = { clock: new ManualClock(), commands: [], folder, access: "required" } as const;
  await assert.rejects(hostProcesses(options, never), HostProcessesRefusedError);
});

test("a mapped image runs as a process with an environment of its own, at a free port, and ends when asked to", async () => {
  process.env["SECRET_OF_THE_PARENT"] = "x";
  const files = new Map([["/etc/conf/a", { data: Buffer.from("file"), mode: 0o644, secret: false }]]);
  const env = new Map([
    ["MODE", "pod"],
    ["COLOR", "blue"],
    ["NODE_OPTIONS", "--require=/tmp/evil.js"],
  ]);
  const { spec, opened, log } = specFor({ env, files });
  const container = await start([command(SERVER, { env: { MODE: "file" } })], spec);
  delete process.env["SECRET_OF_THE_PARENT"];
  await line(log, (text) => text === "up");
  const { host, port } = opened.get(8080) ?? { host: "", port: 0 };
  const seen = (await (await fetch(`http://${host}:${port}/`)).json()) as Record<string, string>;
  assert.equal(seen["COLOR"], "blue");
  assert.equal(seen["MODE"], "file", "what the file says wins");
  assert.equal(seen["NODE_OPTIONS"], undefined, "no pod makes a command run other code");
  assert.equal(seen["SECRET_OF_THE_PARENT"], undefined);
  assert.equal(seen["PORT_8080"], String(port));
  assert.equal(await readFile(join(seen["CONTAINER_ROOT"] ?? "", "etc/conf/a"), "utf8"), "file");
  assert.ok(!("exec" in container), "pods choose no commands unless the file trusts them");
  await container.stop(10_000);
  assert.deepEqual(await container.exited, { exitCode: 7, reason: "Error" });
  await line(log, (text) => text === "told to end");
});

test("one that does not end is killed with everything that it has started", async () => {
  const { spec, log } = specFor();
  const container = await start([command(STUBBORN)], spec);
  await line(log, (text) => text === "up");
  await container.stop(100);
  assert.deepEqual(await container.exited, { exitCode: 137, reason: "Error" });

  const second = specFor();
  const parent = await start([command(PARENT)], second.spec);
  const child = Number(await line(second.log, (text) => /^\d+$/.test(text)));
  process.kill(child, 0);
  await parent.stop(0);
  await gone(child);
});

test("what a killed program has left behind is ended at the next start, and nothing else", async () => {
  const { spec, log } = specFor();
  const left = await start([command(PARENT)], spec);
  const child = Number(await line(log, (text) => /^\d+$/.test(text)));
  const entries = JSON.parse(await readFile(join(folder, "processes.json"), "utf8")) as {
    pid: number;
    began: string;
  }[];
  assert.equal(entries.length, 1);
  // In a folder of its own: the program that a killed one stands for here lives on, and keeps its list.
  const next = await mkdtemp(join(folder, "next-"));
  // Another process has the number of one that had been started by us.
  const found = [...entries, { pid: process.pid, began: "1" }, { pid: "x" }];
  await writeFile(join(next, "processes.json"), JSON.stringify(found));
  await hostProcesses({ clock: systemClock, commands: [], folder: next, access: "loopback" }, never);
  assert.equal((await left.exited).exitCode, 137);
  await gone(child);
});

test("a command that cannot be started is an error of its container", async () => {
  await assert.rejects(start([command("", { command: join(folder, "nothing") })], specFor().spec), /ENOENT/);
});

test("trusted pods choose arguments and commands of probes", async () => {
  const { spec, log } = specFor({ args: ["-e", "console.log('chosen'); setInterval(() => {}, 1000)"] });
  const container = await start([command("", { trustPods: true })], spec);
  await line(log, (text) => text === "chosen");
  const done = await container.exec?.([process.execPath, "-e", "console.log(1); process.exit(3)"], never);
  assert.deepEqual(done, { exitCode: 3, output: "1\n" });
  await container.stop(0);
});

test("the file of commands is read strictly, and patterns find their images", async () => {
  const path = join(folder, "images.yaml");
  await writeFile(
    path,
    "images:\n- image: team/*\n  command: ./run.sh\n  args: [serve]\n- image: exact:v1\n  command: node\n",
  );
  const commands = await readImageCommands(path, never);
  assert.equal(commands[0]?.command, join(folder, "run.sh"));
  assert.equal(commands[0]?.cwd, folder);
  assert.equal(commandFor(commands, "team/app:v9"), commands[0]);
  assert.equal(commandFor(commands, "exact:v1"), commands[1]);
  assert.equal(commandFor(commands, "exact:v2"), undefined);
  assert.equal(commandFor(commands, "other/app"), undefined);
  for (const [text, problem] of [
    ["images: 1", /a list is expected under the key images/],
    ["images: [{image: a}]", /images\[0\]: command must be a text/],
    ["images: [{image: a, command: b, shell: true}]", /images\[0\]: shell is not known/],
    ["images: [", /images\.yaml: /],
  ] as const) {
    await writeFile(path, text);
    await assert.rejects(readImageCommands(path, never), problem);
  }
});

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
      // A process that nobody has taken note of yet is still in the table.
      const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") Z");
      if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z")) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
