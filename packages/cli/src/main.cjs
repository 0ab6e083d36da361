// The `gatewright` command. Plain JavaScript, because a TypeScript file makes Node load a compiler: a third of a cold start,
// and 20 MB that stay. The bundle is CommonJS because `import` of node:http loads all of undici: half as much again.
const { enableCompileCache } = require("node:module");
const path = require("node:path");
const { BUNDLE_FOLDER, loadFreshBundle } = require("./bundle.cjs");

/** The folder of the workspace. */
const root = path.join(__dirname, "..", "..", "..");

async function main() {
  const bundle = loadFreshBundle(root);
  if (bundle === undefined) enableCompileCache(path.join(root, BUNDLE_FOLDER, "sources"));
  /** @type {typeof import("./run.ts")} */
  const { run } = bundle === undefined ? await import("./run.ts") : bundle.exports;
  const threads = bundle === undefined ? {} : { threads: path.join(root, BUNDLE_FOLDER) };
  process.exitCode = await run(process.argv.slice(2), { env: process.env, root, ...threads });
  bundle?.keepCompiled();
}

void main();
