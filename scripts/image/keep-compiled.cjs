// Keeps the compiled form of all that an operator loads, beside the command of an image: a file system that is read-only keeps nothing.
const path = require("node:path");
const { loadBundle } = require("../../packages/cli/src/bundle.cjs");

const [, , folder = ""] = process.argv;
const { exports: command, keepCompiled } = loadBundle(path.join(folder, "run.cjs"));

void command.run(["operator", "--help"], { env: {}, root: folder, threads: folder }).then(keepCompiled);
