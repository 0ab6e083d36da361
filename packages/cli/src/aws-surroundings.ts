import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CredentialsError, environmentCredentials } from "@gatewright/aws";
import type { CredentialSource, ReadFile, Send } from "@gatewright/aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { UsageError } from "./usage-error.ts";

/** What is known of AWS around a command: for providers that name no credentials or endpoint of their own. */
export interface AwsSurroundings {
  readonly endpoint?: string;
  readonly credentials?: CredentialSource;
}

type Environment = Readonly<Partial<Record<string, string>>>;

/** Beside the kubeconfig of a local world: its AWS. */
const LOCAL = "aws.env";

/**
 * The AWS of the environment, by the variables that the `aws` command knows. Without any, and with the kubeconfig of a local world,
 * that world's.
 */
export function awsSurroundings(env: Environment, kubeconfig: string | undefined, send: Send): AwsSurroundings {
  const environment = { ...localOf(env, kubeconfig ?? env["KUBECONFIG"]), ...env };
  const endpoint = environment["AWS_ENDPOINT_URL"];
  const where = endpoint === undefined || endpoint === "" ? {} : { endpoint };
  const region = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const ports = { clock: systemClock, random: systemRandom, send, readFile: readText };
  try {
    const credentials = environmentCredentials({ ...ports, ...where, environment, region });
    return { ...where, ...(credentials !== undefined && { credentials }) };
  } catch (error) {
    throw error instanceof CredentialsError ? new UsageError(error.message) : error;
  }
}

const readText: ReadFile = (path) => readFile(path, "utf8");

function localOf(env: Environment, kubeconfig: string | undefined): Environment {
  if (kubeconfig === undefined || Object.keys(env).some((name) => /^AWS_(?:ENDPOINT_URL|ACCESS_KEY_ID)$/.test(name)))
    return {};
  const file = join(dirname(kubeconfig), LOCAL);
  if (!existsSync(file)) return {};
  const lines = readFileSync(file, "utf8").matchAll(/^export (AWS_[A-Z_]+)=(\S+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name = "", value = ""]) => [name, value]));
}
