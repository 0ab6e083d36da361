import { MINORS, tools } from "../test/tools/layer.ts";

/** Fetches the real clients that the tests use, so that none is skipped for want of them. */
for (const minor of MINORS) {
  const found = tools(minor);
  if ("missing" in found) {
    console.error(`kubectl ${minor}: ${found.missing}`);
    process.exitCode = 1;
  } else {
    console.log(`kubectl ${minor}: ${found.kubectl}`);
  }
}
