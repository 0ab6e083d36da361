import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { explainFiles, SettingsError } from "@gatewright/gateway";
import { deadline, keepAlive, systemClock, systemRandom } from "@gatewright/ports";
import { UsageError } from "./usage-error.ts";

const HELP = `Usage: gatewright gateway match --config FILE | --admin URL [OPTIONS]

Says where a request would go, and why not elsewhere. With --config it reads the files and asks nobody; with --admin it asks a gateway
that runs, at its admin endpoint.

  --config FILE      the settings of a gateway
  --admin URL        such as http://127.0.0.1:9090
  --host HOST        localhost without it
  --path PATH        with its query, if it has one; / without it
  --method METHOD    GET without it
  -H 'NAME: VALUE'   a header; may be repeated

Exit code: 0 a route takes it, 1 none does, 2 the question could not be asked.
`;

interface MatchOptions {
  readonly from: { readonly config: string } | { readonly admin: string };
  readonly asked: URLSearchParams;
}

/** What comes back, from files or from a gateway. */
interface Told {
  readonly winner?: unknown;
  readonly lines: readonly string[];
}

const PATIENCE_MS = 10_000;

/** Explains what a gateway does with a request. */
export async function gatewayMatch(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  using _alive = keepAlive();
  using limit = deadline(systemClock, PATIENCE_MS);
  const { from, asked } = options;
  const told =
    "config" in from
      ? await fromFiles(from.config, asked, limit.signal)
      : await fromAdmin(from.admin, asked, limit.signal);
  process.stdout.write(`${told.lines.join("\n")}\n`);
  return told.winner === undefined ? 1 : 0;
}

async function fromFiles(file: string, asked: URLSearchParams, signal: AbortSignal): Promise<Told> {
  const around = { clock: systemClock, random: systemRandom };
  const explained = await explainFiles(file, asked, around, signal).catch((error: unknown) => {
    throw error instanceof SettingsError ? new UsageError(error.message) : error;
  });
  if (typeof explained === "string") throw new UsageError(explained);
  for (const { file: where, line, severity, message } of explained.problems)
    process.stderr.write(`${severity}: ${where}${line === undefined ? "" : `:${line}`}: ${message}\n`);
  for (const { kind, namespace, name, severity, field, message } of explained.findings)
    process.stderr.write(`${severity}: ${kind} ${namespace}/${name}: ${field}: ${message}\n`);
  return explained.explanation;
}

async function fromAdmin(admin: string, asked: URLSearchParams, signal: AbortSignal): Promise<Told> {
  const url = new URL("/match", admin);
  for (const [name, value] of asked) url.searchParams.append(name, value);
  url.searchParams.set("format", "json");
  let answer: IncomingMessage;
  try {
    [answer] = (await once(request(url, { signal }).end(), "response")) as [IncomingMessage];
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new UsageError(`no gateway answers at ${admin}: ${cause}; its settings say where its admin endpoint is`);
  }
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new UsageError(`${admin} answers ${answer.statusCode}: ${body.trim()}`);
  return JSON.parse(body) as Told;
}

function readOptions(args: readonly string[]): MatchOptions | "help" {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        config: { type: "string" },
        admin: { type: "string" },
        host: { type: "string" },
        path: { type: "string" },
        method: { type: "string" },
        header: { type: "string", short: "H", multiple: true },
        help: { type: "boolean", short: "h" },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  }
  if (values.help === true) return "help";
  const { config, admin, host, path, method, header = [] } = values;
  const asked = new URLSearchParams(header.map((one): [string, string] => ["header", one]));
  for (const [name, value] of Object.entries({ host, path, method })) if (value !== undefined) asked.set(name, value);
  if (config !== undefined && admin === undefined) return { from: { config }, asked };
  if (admin !== undefined && config === undefined && /^http:[/][/]./.test(admin) && URL.canParse(admin))
    return { from: { admin }, asked };
  throw new UsageError(`expected --config FILE, or --admin URL such as http://127.0.0.1:9090\n\n${HELP}`);
}
