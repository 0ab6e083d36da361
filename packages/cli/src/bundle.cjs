// Plain JavaScript: see main.cjs.
const { existsSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { Script } = require("node:vm");

/** Where the bundle of the command is kept. It is only ever a faster form of the sources. */
const BUNDLE_FOLDER = path.join("node_modules", ".cache", "gatewright");

/**
 * The state of all sources, as one text: it changes when any file does.
 * @param {string} root
 * @returns {string}
 */
function sourceStamp(root) {
  let newest = 0;
  let count = 0;
  /** @param {string} folder */
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        walk(file);
      } else if (!entry.name.endsWith(".test.ts")) {
        newest = Math.max(newest, statSync(file).mtimeMs);
        count++;
      }
    }
  };
  for (const room of readdirSync(`${root}/packages`)) walk(`${root}/packages/${room}/src`);
  return `${count} ${newest} ${process.version}`;
}

/**
 * @param {string} root
 * @returns {string}
 */
function stampPath(root) {
  return path.join(root, BUNDLE_FOLDER, "sources.stamp");
}

/**
 * @typedef {object} Bundle
 * @property {any} exports
 * @property {() => void} keepCompiled Keeps the compiled form of the functions that have run, unless there is one already.
 */

/**
 * Loads the bundle that stands for the sources; undefined when there is none or the sources have moved on.
 * @param {string} root
 * @returns {Bundle | undefined}
 */
function loadFreshBundle(root) {
  try {
    if (readFileSync(stampPath(root), "utf8") !== sourceStamp(root)) return undefined;
  } catch {
    // No bundle was made, or a folder of the sources is not as expected: the sources themselves are right in any case.
    return undefined;
  }
  return loadBundle(path.join(root, BUNDLE_FOLDER, "run.cjs"));
}

/**
 * Loads a command that is one file, with its compiled form where one was kept by the same Node. Node's own compile cache holds no
 * function that is compiled when it is first called, which most are: a third of a start.
 * @param {string} file
 * @returns {Bundle}
 */
function loadBundle(file) {
  const compiled = `${file}.${process.version}-${process.arch}`;
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  // The bundle is ASCII.
  const source = Module.wrap(readFileSync(file, "latin1"));
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, Module.createRequire(file), module, file, path.dirname(file));
  const keepCompiled = () => {
    if (existsSync(compiled)) return;
    const made = `${compiled}.${process.pid}`;
    writeFileSync(made, script.createCachedData());
    renameSync(made, compiled);
  };
  return { exports: module.exports, keepCompiled };
}

module.exports = { BUNDLE_FOLDER, loadBundle, loadFreshBundle, sourceStamp, stampPath };
