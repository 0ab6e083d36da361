import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Made for each other: both stand on the same botocore. */
const PACKAGES = ["awscli==1.45.11", "boto3==1.43.11"];

/** What AWS itself gives to those who talk to it. */
export interface AwsClients {
  /** The `aws` command. */
  readonly aws: string;
  /** A Python that has boto3. */
  readonly python: string;
}

/** The clients in the user's cache folder; or why they are not there, for `suite`. */
export function awsClients(): AwsClients | { readonly missing: string } {
  const folder = venvFolder();
  if (!existsSync(join(folder, "complete"))) return { missing: "the aws CLI and boto3 are not there: npm run tools" };
  return { aws: join(folder, "bin", "aws"), python: join(folder, "bin", "python") };
}

/** The clients, put into a virtual environment of their own when they are not there yet; or why they cannot be had. */
export function fetchAwsClients(): AwsClients | { readonly missing: string } {
  const found = awsClients();
  if (!("missing" in found)) return found;
  const folder = venvFolder();
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, ".."), { recursive: true });
    execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" });
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES];
    execFileSync(join(folder, "bin", "python"), pip, { stdio: "pipe" });
    // Paths are written into a virtual environment, so it cannot be made elsewhere and renamed: this says that it is whole.
    writeFileSync(join(folder, "complete"), "");
    return awsClients();
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { missing: `the aws CLI and boto3 could not be installed: ${why}` };
  }
}

function venvFolder(): string {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(cache, "gatewright", "tools", PACKAGES.join("-").replaceAll("==", "-"));
}
