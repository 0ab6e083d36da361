// The `gatewright` command in an image: one file, its compiled form and its threads beside it.
const path = require("node:path");

/** @type {typeof import("../../packages/cli/src/bundle.cjs")} */
const { loadBundle } = require(path.join(__dirname, "bundle.cjs"));

/** @type {typeof import("../../packages/cli/src/run.ts")} */
const { run } = loadBundle(path.join(__dirname, "run.cjs")).exports;

void run(process.argv.slice(2), { env: process.env, root: __dirname, threads: __dirname }).then((code) => {
  process.exitCode = code;
});
