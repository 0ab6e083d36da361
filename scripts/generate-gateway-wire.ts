import { execFile } from "node:child_process";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Generated } from "./generate.ts";

const room = resolve(import.meta.dirname, "../packages/gateway-wire");
const out = "src/generated";

/** The messages between operator and gateways, from their proto files, by buf. */
export async function generateGatewayWire(): Promise<readonly Generated[]> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-wire-"));
  try {
    const bin = resolve(import.meta.dirname, "../node_modules/.bin");
    const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    await promisify(execFile)(join(bin, "buf"), ["generate", "-o", folder], { cwd: room, env });
    const names = (await readdir(join(folder, out), { recursive: true })).filter((name) => /\.(?:js|ts)$/u.test(name));
    return await Promise.all(
      names.sort().map(async (name) => ({
        file: `packages/gateway-wire/${out}/${name}`,
        text: await readFile(join(folder, out, name), "utf8"),
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
