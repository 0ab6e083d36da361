// The `gatewright` command in an image: one file, its threads beside it.
const path = require("node:path");

/** @type {typeof import("../../packages/cli/src/run.ts")} */
const { run } = require(path.join(__dirname, "run.cjs"));

void run(process.argv.slice(2), { env: process.env, root: __dirname, threads: __dirname }).then((code) => {
  process.exitCode = code;
});
