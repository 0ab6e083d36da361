import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeClient } from "./kube-client.ts";
import { runNode } from "./stand-in-node.ts";

/** The stand-in node as a process: `node node-main.ts <url> <folder of the control plane>`. */
const [, , url = "", folder = ""] = process.argv;
const ca = readFileSync(join(folder, "ca.crt"), "utf8");
const token = readFileSync(join(folder, "tokens.csv"), "utf8").split(",")[0] ?? "";
const ending = new AbortController();
for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => ending.abort());
await runNode(new KubeClient({ url, ca, token }), ending.signal, console.log);
process.exit(0);
