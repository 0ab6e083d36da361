import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { AwsClients } from "../../tools/aws-clients.ts";

/** What the aws CLI made of an answer: what it printed (read, where it is JSON), or the code and message of a refusal. */
export type Answer = { readonly ok: unknown } | { readonly refused: string; readonly message: string };

/** Runs a command of the aws CLI: words, then arguments as they are; objects become JSON. */
export type Aws = (words: string, ...rest: (string | object)[]) => Promise<Answer>;

export interface AwsSession extends AsyncDisposable {
  readonly aws: Aws;
}

/** What keeps real clients to the given endpoint, and to nothing that the machine's user has configured. */
export function awsEnvironment(url: string, region = "eu-west-1"): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: url,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_CONFIG_FILE: "/dev/null",
    AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_PAGER: "",
  };
}

/** The real CLI, kept running between commands. */
export function openAwsSession({ python }: AwsClients, url: string): AwsSession {
  const child = spawn(python, [new URL("aws-session.py", import.meta.url).pathname], {
    env: { ...process.env, ...awsEnvironment(url) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async aws(words, ...rest) {
      const more = rest.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
      // The environment alone does not keep it from asking the old address of SQS.
      child.stdin.write(`${JSON.stringify([...words.split(" "), ...more, "--endpoint-url", url])}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the aws CLI ended at: ${words}`);
      const { code, stdout, stderr } = JSON.parse(value) as { code: number; stdout: string; stderr: string };
      if (code === 0) return { ok: read(stdout) };
      const told = /\((\w[\w.]*)\) when calling the \w+ operation(?: \(.*?\))?: (.*)/s.exec(stderr);
      if (!told) throw new Error(`aws ${words} ended with ${code}: ${stderr}${stdout}`);
      return { refused: told[1] ?? "", message: (told[2] ?? "").trim() };
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await gone;
    },
  };
}

function read(printed: string): unknown {
  const text = printed.trim();
  return /^[[{]/.test(text) ? JSON.parse(text) : text;
}
