// Plain JavaScript: see main.cjs.
const { readFileSync, readdirSync, statSync } = require("node:fs");
const path = require("node:path");

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
 * The bundle to run instead of the sources, or undefined when there is none or the sources have moved on.
 * @param {string} root
 * @returns {string | undefined}
 */
function freshBundle(root) {
  try {
    if (readFileSync(stampPath(root), "utf8") === sourceStamp(root)) return path.join(root, BUNDLE_FOLDER, "run.cjs");
  } catch {
    // No bundle was made, or a folder of the sources is not as expected: the sources themselves are right in any case.
  }
  return undefined;
}

module.exports = { BUNDLE_FOLDER, freshBundle, sourceStamp, stampPath };
