import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "esbuild";

/** Libraries that a start does not need: they are loaded when they are used, and stay packages of their own. */
export const LIBRARIES = ["re2js", "yaml", "@grpc/grpc-js", "@bufbuild/protobuf", "ajv", "bcryptjs", "graphql", "jose"];

/** Threads of the command, a file each: none of them is in the command's own. */
const THREADS = {
  "lease-worker": "packages/runtime/src/lease/lease-worker.ts",
  "gateway-worker": "packages/gateway/src/workers/worker-main.ts",
  "bcrypt-worker": "packages/gateway/src/filters/authentication/bcrypt-worker.ts",
} as const;

/** This thread is started by who needs it, wherever that is bundled into: its file is beside. */
const bcryptBeside: Plugin = {
  name: "bcrypt-beside",
  setup(build) {
    build.onLoad({ filter: /\/bcrypt-thread\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace("./bcrypt-worker.ts", "./bcrypt-worker.cjs"),
      loader: "ts",
    }));
  },
};

/** Puts the command (`run.cjs`) and its threads into a folder, each as one file of plain JavaScript. */
export async function buildBundle(root: string, folder: string): Promise<void> {
  const { build } = await import("esbuild");
  await build({
    entryPoints: {
      run: join(root, "packages/cli/src/run.ts"),
      ...Object.fromEntries(Object.entries(THREADS).map(([name, path]) => [name, join(root, path)])),
    },
    outdir: folder,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node24",
    // The console's page is made beforehand where there are no sources to make it from.
    external: [...LIBRARIES, "esbuild"],
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
    define: { "import.meta.url": "__url" },
    plugins: [bcryptBeside],
    // Names stay as they are, for stacks. A script that is no module of Node's own may not import, but require.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    supported: { "dynamic-import": false },
    logLevel: "error",
  });
}
