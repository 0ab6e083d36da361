import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { BUNDLE_FOLDER, freshBundle } from "./bundle.ts";

/** The folder of the workspace. */
const root = join(import.meta.dirname, "..", "..", "..");

// Reading hundreds of small files takes most of a cold start. The bundle that `npm ci` leaves behind is the same program in one
// file; compiled code is kept beside it.
enableCompileCache(join(root, BUNDLE_FOLDER, "compiled"));
const { run } = (await import(freshBundle(root) ?? "./run.ts")) as typeof import("./run.ts");
process.exitCode = await run(process.argv.slice(2), { env: process.env, root });
