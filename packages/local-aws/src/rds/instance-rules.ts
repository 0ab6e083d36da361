import type { CreateDBInstanceMessage } from "@gatewright/aws-wire/types/rds";
import type { Engine } from "./engines.ts";
import { invalidCombination, invalidValue } from "./refusals.ts";

const CLASS = /^db\.([tmrxzc]\d{1,2}[a-z]{0,4}|x2iedn|x2g)\.(micro|small|medium|large|\d{0,2}xlarge)$/;

/** The identifier as it is kept: lower case. */
export function identifierOf(given: string, parameter: string, longest = 63): string {
  if (given.length > longest || !/^[a-z](-?[a-z0-9])*$/i.test(given)) {
    throw invalidValue(
      `The parameter ${parameter} is not a valid identifier. Identifiers must begin with a letter; must contain only ASCII letters, digits, and hyphens; and must not end with a hyphen or contain two consecutive hyphens.`,
    );
  }
  return given.toLowerCase();
}

export function checkClass(name: string): void {
  if (!CLASS.test(name)) throw invalidValue(`Invalid DB Instance class: ${name}`);
}

export function checkUser({ longestUser, reservedUsers }: Engine, user: string | undefined): string {
  if (user === undefined || user === "") throw blank("MasterUsername");
  if (reservedUsers.includes(user.toLowerCase())) {
    throw invalidValue(`MasterUsername ${user} cannot be used as it is a reserved word used by the engine`);
  }
  if (user.length > longestUser || !/^[a-z_][a-z0-9_]*$/i.test(user)) {
    throw invalidValue(
      "The parameter MasterUsername is not a valid identifier: it must begin with a letter and contain only alphanumeric characters.",
    );
  }
  return user;
}

/** Passwords are looked at and forgotten. */
export function checkPassword({ longestPassword }: Engine, password: string): void {
  if (password.length < 8) {
    throw invalidValue(
      "The parameter MasterUserPassword is not a valid password because it is shorter than 8 characters.",
    );
  }
  if (password.length > longestPassword) {
    throw invalidValue(
      `The parameter MasterUserPassword is not a valid password because it is longer than ${longestPassword} characters.`,
    );
  }
  if (!/^[!-~]+$/.test(password) || /[/@"]/.test(password)) {
    throw invalidValue(
      "The parameter MasterUserPassword is not a valid password. Only printable ASCII characters besides '/', '@', '\"', ' ' may be used.",
    );
  }
}

export function checkRetention(days: number): void {
  if (days < 0 || days > 35) {
    throw invalidValue(`Invalid backup retention period: ${days}. Must be a value from 0 to 35.`);
  }
}

export function checkPort(port: number): void {
  if (port < 1150 || port > 65_535)
    throw invalidValue(`The port ${port} is not valid. Valid values are 1150 to 65535.`);
}

/** Who knows the password: the caller says it, or RDS keeps it in a secret. */
export function checkCredentials(engine: Engine, input: CreateDBInstanceMessage): void {
  if (input.ManageMasterUserPassword === true) {
    if (input.MasterUserPassword !== undefined) {
      throw invalidCombination("You can't specify MasterUserPassword when ManageMasterUserPassword is enabled.");
    }
  } else if (input.MasterUserPassword === undefined || input.MasterUserPassword === "") {
    throw blank("MasterUserPassword");
  } else checkPassword(engine, input.MasterUserPassword);
}

export function blank(parameter: string): Error {
  return invalidValue(`The parameter ${parameter} must be provided and must not be blank.`);
}
