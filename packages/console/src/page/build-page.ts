import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/** Files of the page by name: `index.html`, and what it loads, each with a name that changes with its content. */
export type BuiltPage = ReadonlyMap<string, Buffer>;

const WEB = "packages/console/src/web";

/** Makes the page from its sources: one script, one style sheet, an icon. The same sources give the same files. */
export async function buildPage(root: string): Promise<BuiltPage> {
  const web = join(root, WEB);
  const { outputFiles } = await build({
    entryPoints: [join(web, "app.tsx"), join(web, "style/app.css")],
    bundle: true,
    write: false,
    outdir: "out",
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
  });
  const files = new Map<string, Buffer>();
  let html = await readFile(join(web, "index.html"), "utf8");
  const add = (name: string, bytes: Buffer): void => {
    const [stem = "", ending = ""] = name.split(".");
    const hashed = `${stem}-${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}.${ending}`;
    files.set(hashed, bytes);
    html = html.replaceAll(`assets/${name}`, `assets/${hashed}`);
  };
  for (const { path, contents } of outputFiles) {
    add(path.endsWith(".css") ? "app.css" : "app.js", Buffer.from(contents));
  }
  add("icon.svg", await readFile(join(web, "icon.svg")));
  return files.set("index.html", Buffer.from(html));
}
