import { invalidCombination, invalidValue } from "./refusals.ts";

/** What RDS knows of an engine. A small part of what AWS has: the newest minor versions of what is supported. */
export interface Engine {
  readonly name: string;
  readonly description: string;
  /** Oldest first; the default is the last of the default major version. */
  readonly versions: readonly string[];
  readonly defaultVersion: string;
  readonly port: number;
  readonly license: string;
  readonly logs: readonly string[];
  readonly longestPassword: number;
  readonly longestUser: number;
  readonly reservedUsers: readonly string[];
}

const ENGINES: readonly Engine[] = [
  {
    name: "postgres",
    description: "PostgreSQL",
    versions: ["13.20", "14.17", "14.18", "15.12", "15.13", "16.8", "16.9", "16.10", "17.4", "17.5", "17.6"],
    defaultVersion: "17.6",
    port: 5432,
    license: "postgresql-license",
    logs: ["iam-db-auth-error", "postgresql", "upgrade"],
    longestPassword: 128,
    longestUser: 63,
    reservedUsers: ["admin", "rdsadmin", "rds_superuser", "public"],
  },
  {
    name: "mysql",
    description: "MySQL Community Edition",
    versions: ["5.7.44", "8.0.40", "8.0.41", "8.0.42", "8.0.43", "8.4.4", "8.4.5", "8.4.6"],
    defaultVersion: "8.0.43",
    port: 3306,
    license: "general-public-license",
    logs: ["audit", "error", "general", "iam-db-auth-error", "slowquery"],
    longestPassword: 41,
    longestUser: 16,
    reservedUsers: ["rdsadmin", "rdsrepladmin"],
  },
  {
    name: "mariadb",
    description: "MariaDB Community Edition",
    versions: ["10.6.21", "10.6.22", "10.11.11", "10.11.13", "11.4.5", "11.4.7", "11.8.3"],
    defaultVersion: "11.8.3",
    port: 3306,
    license: "general-public-license",
    logs: ["audit", "error", "general", "slowquery"],
    longestPassword: 41,
    longestUser: 16,
    reservedUsers: ["rdsadmin", "rdsrepladmin"],
  },
];

/** Every engine that there is. */
export function engines(): readonly Engine[] {
  return ENGINES;
}

export function engineOf(name: string): Engine {
  const engine = ENGINES.find((one) => one.name === name.toLowerCase());
  if (engine === undefined) throw invalidValue(`Invalid DB engine`);
  return engine;
}

/** The version that is meant: a whole one, or the newest of a major one. */
export function versionOf({ name, versions, defaultVersion }: Engine, wanted: string | undefined): string {
  if (wanted === undefined) return defaultVersion;
  const found =
    versions.find((version) => version === wanted) ?? versions.findLast((version) => version.startsWith(`${wanted}.`));
  if (found === undefined) throw invalidCombination(`Cannot find version ${wanted} for ${name}`);
  return found;
}

/** `16` of PostgreSQL, `8.0` of the others. */
export function majorOf({ name }: Pick<Engine, "name">, version: string): string {
  return version
    .split(".")
    .slice(0, name === "postgres" ? 1 : 2)
    .join(".");
}

/** The family of parameter groups that fit: `postgres16`. */
export function familyOf(engine: Pick<Engine, "name">, version: string): string {
  return `${engine.name}${majorOf(engine, version)}`;
}

/** Whether one version is newer than another. */
export function isNewer(version: string, other: string): boolean {
  const parts = (text: string): readonly number[] => text.split(".").map(Number);
  const [one, two] = [parts(version), parts(other)];
  for (const [i, part] of one.entries()) if (part !== (two[i] ?? 0)) return part > (two[i] ?? 0);
  return false;
}
