import { UsageError } from "./usage-error.ts";

/** Where a command runs. */
export interface CommandContext {
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the workspace, or of what stands for it in an image: package.json is there. */
  readonly root: string;
  /** Where threads are that were put into one file each. Missing: they start from the sources. */
  readonly threads?: string;
}

interface Command {
  readonly summary: string;
  run(args: readonly string[], context: CommandContext): Promise<number>;
}

/** Commands are loaded when they are called: starting one does not pay for the others. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  [
    "up",
    {
      summary: "run the local world: Kubernetes, AWS, controllers, a gateway and a console on this machine",
      run: async (args, context) => (await import("./up/up.ts")).up(args, context),
    },
  ],
  [
    "status",
    {
      summary: "everything on one screen, what is wrong first",
      run: async (args, context) => (await import("./status/status.ts")).status(args, context),
    },
  ],
  [
    "why",
    {
      summary: "why something is not live: the chain down to the cause, and what to do",
      run: async (args, context) => (await import("./why/why.ts")).why(args, context),
    },
  ],
  [
    "try",
    {
      summary: "really ask a URL: name, connection, certificate, answer, each with its time",
      run: async (args, context) => (await import("./try/try.ts")).tryUrl(args, context),
    },
  ],
  [
    "watch",
    {
      summary: "what happens, as it happens: conditions, events, gateways",
      run: async (args, context) => (await import("./watch/watch.ts")).watch(args, context),
    },
  ],
  [
    "plan",
    {
      summary: "say what the operator would do to AWS if files were applied",
      run: async (args, context) => (await import("./plan.ts")).plan(args, context),
    },
  ],
  [
    "move",
    {
      summary: "move a hostname to another Gateway without a request lost",
      run: async (args, context) => (await import("./move.ts")).move(args, context),
    },
  ],
  [
    "gateway",
    {
      summary: "run a gateway for HTTP, gRPC and GraphQL, or say what one does with a request",
      run: async (args, context) => (await import("./gateway.ts")).gateway(args, context),
    },
  ],
  [
    "operator",
    {
      summary: "run controllers against a cluster",
      run: async (args, context) => (await import("./operator/operator.ts")).operator(args, context),
    },
  ],
  [
    "manifests",
    {
      summary: "print what a cluster needs before the operator runs there: kinds, roles, policies, rights in AWS",
      run: async (args) => (await import("./install/manifests.ts")).manifests(args),
    },
  ],
  [
    "doctor",
    {
      summary: "look whether a cluster has what the operator needs, before it is installed or after",
      run: async (args, context) => (await import("./install/doctor.ts")).doctor(args, context),
    },
  ],
  [
    "version",
    {
      summary: "tell the versions of this command and of the API server",
      run: async (args, context) => (await import("./version.ts")).version(args, context),
    },
  ],
  [
    "gateways",
    {
      summary: "list the gateways that are connected, how far they are and what they refused",
      run: async (args, context) => (await import("./gateways.ts")).gateways(args, context),
    },
  ],
  [
    "completion",
    {
      summary: "print the completion script of bash, zsh or fish",
      run: async (args) => (await import("./completion/completion.ts")).completion(args),
    },
  ],
  [
    "envtest",
    {
      summary: "write etcd and kube-apiserver commands that run Go envtest suites on this server",
      run: async (args, context) => (await import("./envtest.ts")).envtest(args, context),
    },
  ],
]);

const HELP = ["", "-h", "--help", "help"];

/** As if SIGPIPE had ended it, as it does other commands. */
const READER_GONE = 141;

/** Who reads the answer may have enough: `gatewright status | head`. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(READER_GONE);
}

/** Runs one command line. Resolves to the exit code. */
export async function run(args: readonly string[], context: CommandContext): Promise<number> {
  process.stdout.on("error", endWithReader);
  const [name = "", ...rest] = args[0] === "--version" ? ["version", "--client", ...args.slice(1)] : args;
  if (HELP.includes(name)) {
    process.stdout.write(help());
    return 0;
  }
  if (name === "__complete")
    return (await import("./completion/complete.ts")).complete(rest, [...COMMANDS.keys()], context);
  const command = COMMANDS.get(name);
  if (!command) {
    process.stderr.write(`gatewright: there is no command ${JSON.stringify(name)}\n\n${help()}`);
    return 2;
  }
  try {
    return await command.run(rest, context);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`gatewright ${name}: ${error.message}\n`);
    return 2;
  }
}

function help(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: gatewright COMMAND [OPTIONS]\n\nCommands:\n${lines.join("\n")}\n\n'gatewright COMMAND --help' tells more of one.\n`;
}
