import { enableCompileCache } from "node:module";

// Type stripping and compiling take most of a cold start; both are kept for the next one.
enableCompileCache();
const { run } = await import("./run.ts");
process.exitCode = await run(process.argv.slice(2), process.env);
