import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isObject, parseYaml } from "@gatewright/kube";
import type { Json, JsonObject } from "@gatewright/kube";

/** The command of this machine that stands for an image. */
export interface ImageCommand {
  /** `team/app`, `team/*:v1`: a star is any text; without a tag, all tags. */
  readonly image: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether pods may choose arguments, and commands of probes. Default: false, this file alone says what runs. */
  readonly trustPods: boolean;
}

/** A file of image commands cannot be used. The message says where and why. */
export class ImageCommandsError extends Error {
  readonly code = "ImageCommands";
  readonly path: string;

  constructor(path: string, problem: string, options?: ErrorOptions) {
    super(`${path}: ${problem}`, options);
    this.name = "ImageCommandsError";
    this.path = path;
  }
}

const KEYS = new Set(["image", "command", "args", "cwd", "env", "trustPods"]);

/** Reads a file of image commands: YAML or JSON, `images: [{ image, command, args, cwd, env, trustPods }]`. Paths are relative to it. */
export async function readImageCommands(path: string, signal: AbortSignal): Promise<readonly ImageCommand[]> {
  let document: Json;
  try {
    document = parseYaml(await readFile(path, { signal })).value;
  } catch (error) {
    throw new ImageCommandsError(path, error instanceof Error ? error.message : String(error), { cause: error });
  }
  const images = isObject(document) ? document["images"] : undefined;
  if (!Array.isArray(images)) throw new ImageCommandsError(path, "a list is expected under the key images");
  return images.map((entry, i) => {
    const problem = (text: string): ImageCommandsError => new ImageCommandsError(path, `images[${i}]: ${text}`);
    if (!isObject(entry)) throw problem("an object is expected");
    return imageCommand(entry, dirname(resolve(path)), problem);
  });
}

function imageCommand(entry: JsonObject, folder: string, problem: (text: string) => Error): ImageCommand {
  const unknown = Object.keys(entry).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw problem(`${unknown} is not known`);
  const { image, command, args = [], cwd = ".", env = {}, trustPods = false } = entry;
  if (typeof image !== "string" || image === "") throw problem("image must be a text");
  if (typeof command !== "string" || command === "") throw problem("command must be a text");
  if (typeof cwd !== "string") throw problem("cwd must be a text");
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) throw problem("args must be texts");
  if (!isObject(env)) throw problem("env must be an object of texts");
  if (typeof trustPods !== "boolean") throw problem("trustPods must be true or false");
  const pairs = Object.entries(env).map(([name, value]): [string, string] => {
    if (typeof value !== "string") throw problem(`env.${name} must be a text`);
    return [name, value];
  });
  const program = command.includes("/") ? resolve(folder, command) : command;
  return { image, command: program, args, cwd: resolve(folder, cwd), env: Object.fromEntries(pairs), trustPods };
}

/** The first command whose pattern fits an image. */
export function commandFor(commands: readonly ImageCommand[], image: string): ImageCommand | undefined {
  return commands.find((candidate) => fits(candidate.image, image));
}

function fits(pattern: string, image: string): boolean {
  const tagged = /:[^/]*$/.test(pattern) || pattern.includes("@");
  const subject = tagged ? image : image.replace(/@.*$/, "").replace(/:[^:/]*$/, "");
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return subject === pattern;
  const last = rest.pop() ?? "";
  if (!subject.startsWith(first) || !subject.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = subject.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= subject.length - last.length;
}
