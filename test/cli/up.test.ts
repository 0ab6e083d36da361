import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { run } from "../tools/command.ts";
import { ANY_OTHER_PORTS } from "../tools/up-process.ts";
import { parse } from "yaml";

const MAIN = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.cjs");

interface Up {
  readonly url: string;
  readonly child: ChildProcess;
  /** Ends it as a user or a supervisor does, and gives the exit code. */
  stop(): Promise<number | null>;
}

async function up(args: readonly string[], env: Record<string, string> = {}): Promise<Up> {
  const child = spawn(process.execPath, [MAIN, "up", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("To try")) break;
  }
  const url = /https?:\/\/\S+/.exec(text)?.[0];
  assert.ok(url, text);
  return {
    url,
    child,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      return ((await ended) as [number | null])[0];
    },
  };
}

const get = async (url: string, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> => {
  const answer = await fetch(url, { headers });
  return { status: answer.status, body: await answer.text() };
};

const post = (url: string, object: unknown): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(object) });

describe("gatewright up", () => {
  const homes: string[] = [];
  const home = (): string => {
    const folder = mkdtempSync(join(tmpdir(), "gatewright-up-"));
    homes.push(folder);
    return folder;
  };
  after(() => {
    for (const folder of homes) rmSync(folder, { recursive: true, force: true });
  });

  const refused = async (args: readonly string[], expected: RegExp): Promise<void> => {
    const outcome = await run(process.execPath, [MAIN, ...args], { signal: AbortSignal.timeout(120_000) });
    assert.equal(outcome.code, 2, outcome.stderr);
    assert.match(outcome.stderr, expected);
  };

  test("serves, writes a kubeconfig that only its owner reads, and ends cleanly on SIGTERM", async () => {
    const folder = home();
    const world = await up(["--port", "0"], { GATEWRIGHT_HOME: folder });
    assert.deepEqual(await get(`${world.url}/readyz`), { status: 200, body: "ok" });
    const config = parse(readFileSync(join(folder, "kubeconfig"), "utf8")) as {
      clusters: { cluster: { server: string } }[];
    };
    assert.equal(config.clusters[0]?.cluster.server, world.url);
    assert.equal(statSync(join(folder, "kubeconfig")).mode & 0o777, 0o600);
    assert.equal(await world.stop(), 0);
  });

  test("tells where everything is and what to try, and is quiet about the rest", async () => {
    const folder = home();
    const child = spawn(process.execPath, [MAIN, "up", "--port", "0", "--data", folder, "--ephemeral"]);
    let [said, told] = ["", ""];
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told += text));
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      said += String(chunk);
      if (said.includes("https://store")) break;
    }
    const [api] = /http:\S+/.exec(said) ?? [];
    for (const what of ["Kubernetes", "Console", "AWS", "DNS", "Gateway", "Data"])
      assert.match(said, new RegExp(`^  ${what} `, "m"));
    assert.match((await get(`${api}/readyz?verbose`)).body, /\[\+\]world ok/);
    assert.deepEqual(readdirSync(folder).toSorted(), [
      ".gitignore",
      "aws.env",
      "ca.crt",
      "kubeconfig",
      "lock",
      "service-account.key",
    ]);
    assert.match(readFileSync(join(folder, "ca.crt"), "utf8"), /^-----BEGIN CERTIFICATE-----/);
    const ended = once(child, "exit");
    child.kill("SIGINT");
    assert.deepEqual(await ended, [0, null]);
    assert.equal(told, "");
  });

  test("refuses a folder in which another one runs", async () => {
    const folder = home();
    const first = await up(["--port", "0", "--data", folder]);
    try {
      await refused(["up", "--port", "0", "--data", folder], /another/);
    } finally {
      await first.stop();
    }
  });

  test("an ephemeral one leaves the kubeconfig alone of one that runs in the same folder", async () => {
    const folder = home();
    const first = await up(["--port", "0", "--bare", "--ephemeral", "--data", folder]);
    try {
      const config = readFileSync(join(folder, "kubeconfig"), "utf8");
      await refused(["up", "--port", "0", "--bare", "--ephemeral", "--data", folder], /in use by process/);
      assert.equal(readFileSync(join(folder, "kubeconfig"), "utf8"), config);
    } finally {
      await first.stop();
    }
    assert.equal(readdirSync(folder).includes("lock"), false);
  });

  test("a folder that cannot be used is told, and not in the words of a program that broke", async () => {
    const file = join(home(), "file");
    writeFileSync(file, "");
    await refused(["up", "--port", "0", "--bare", "--data", file], /file cannot be used: EEXIST.*--data/);
  });

  test("keeps its objects over a restart, and with --ephemeral keeps none", async () => {
    const folder = home();
    const first = await up(["--port", "0", "--home", folder]);
    const made = await post(`${first.url}/api/v1/namespaces`, { metadata: { name: "kept" } });
    const { metadata } = (await made.json()) as { metadata: { uid: string; resourceVersion: string } };
    await first.stop();
    const second = await up(["--port", "0", "--home", folder]);
    const found = JSON.parse((await get(`${second.url}/api/v1/namespaces/kept`)).body) as typeof made & {
      metadata: typeof metadata;
    };
    assert.equal(found.metadata.uid, metadata.uid);
    const next = await post(`${second.url}/api/v1/namespaces`, { metadata: { name: "next" } });
    const later = ((await next.json()) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    assert.ok(Number(later) > Number(metadata.resourceVersion));
    await second.stop();
    const empty = home();
    const ephemeral = await up(["--port", "0", "--home", empty, "--ephemeral"]);
    assert.equal((await get(`${ephemeral.url}/api/v1/namespaces/kept`)).status, 404);
    await ephemeral.stop();
    assert.equal(readdirSync(empty).includes("data"), false);
  });

  test("keeps web pages out: a foreign Host or Origin is refused", async () => {
    const world = await up(["--port", "0", "--home", home(), "--ephemeral"]);
    assert.equal((await get(`${world.url}/api`, { origin: "https://evil.example" })).status, 403);
    const port = new URL(world.url).port;
    const rebound = await run("node", [
      "-e",
      `require("http").get({host:"127.0.0.1",port:${port},path:"/api",headers:{host:"evil.example"}},r=>{console.log(r.statusCode);process.exit()})`,
    ]);
    assert.equal(rebound.stdout.trim(), "403");
    await world.stop();
  });

  test("with --tls asks for the token that is in the kubeconfig", async () => {
    const folder = home();
    const world = await up(["--port", "0", "--home", folder, "--tls", "--ephemeral"]);
    const config = parse(readFileSync(join(folder, "kubeconfig"), "utf8")) as {
      clusters: { cluster: { "certificate-authority-data": string } }[];
      users: { user: { token: string } }[];
    };
    const ca = Buffer.from(config.clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64");
    const status = (headers: Record<string, string>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        request(`${world.url}/api/v1/namespaces`, { ca, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on("error", reject)
          .end();
      });
    assert.equal(await status({}), 403);
    assert.equal(await status({ authorization: "Bearer wrong" }), 401);
    assert.equal(await status({ authorization: `Bearer ${config.users[0]?.user.token}` }), 200);
    await world.stop();
  });

  test("listens on all addresses with --tls, with a certificate that is for each of them", async () => {
    const folder = home();
    const world = await up(["--host", "0.0.0.0", "--port", "0", "--bare", "--ephemeral", "--tls", "--data", folder]);
    const certificate = new X509Certificate(readFileSync(join(folder, "serving.crt")));
    for (const address of ["0.0.0.0", "127.0.0.1"]) assert.equal(certificate.checkIP(address), address);
    const port = Number(new URL(world.url).port);
    const ca = readFileSync(join(folder, "ca.crt"));
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request({ host: "127.0.0.1", port, path: "/readyz", ca }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on("error", reject)
        .end();
    });
    assert.equal(status, 200);
    assert.equal(await world.stop(), 0);
  });

  test("says what to do when it cannot start", async () => {
    await refused(
      ["up", "--host", "0.0.0.0", "--home", home()],
      /lets other machines in and needs TLS and authentication.*--tls/,
    );
    await refused(["up", "--port", "99999", "--home", home()], /--port takes a number up to 65535/);
    await refused(["up", "--nonsense"], /Unknown option '--nonsense'[^]*Usage: gatewright up/);
    await refused(["dance"], /there is no command "dance"[^]*Usage: gatewright COMMAND/);
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    await refused(
      ["up", "--port", String(port), "--home", home(), "--ephemeral", ...ANY_OTHER_PORTS],
      new RegExp(`port ${port} is taken; choose another with --port`),
    );
    taken.close();
  });

  test("refuses damaged data by name instead of starting empty", async () => {
    const folder = home();
    const world = await up(["--port", "0", "--home", folder]);
    await post(`${world.url}/api/v1/namespaces`, { metadata: { name: "precious" } });
    await world.stop();
    const data = join(folder, "data");
    const file = readdirSync(data).find((name) => statSync(join(data, name)).size > 2000 && !name.includes("reserve"));
    assert.ok(file);
    const bytes = readFileSync(join(data, file));
    bytes[1000] = (bytes[1000] ?? 0) ^ 0xff;
    writeFileSync(join(data, file), bytes);
    const outcome = await run(process.execPath, [MAIN, "up", "--port", "0", "--home", folder]);
    assert.equal(outcome.code, 2);
    assert.ok(outcome.stderr.includes(file), outcome.stderr);
    assert.deepEqual(readFileSync(join(data, file)), bytes);
  });
});
