import { formatIP, isIPv4Mapped, parseIP } from "@gatewright/kube";
import type { IPAddress } from "@gatewright/kube";
import { dynType, fn, fromJson, mapType, stringType, timestampType } from "@gatewright/kube/cel";
import type { Activation, CelEnv, CelMap, CelValue } from "@gatewright/kube/cel";
import type { Clock } from "@gatewright/ports";
import { requestAttributes, subjectAttributes } from "./question.ts";
import type { Question } from "./question.ts";
import type { ExpandRoles } from "./roles.ts";

const attributes = mapType(stringType, dynType);

/** What expressions of policies can use, and how a question gives it values. */
export interface AbacEnvironment {
  readonly env: CelEnv;
  /** Lets `run` evaluate expressions about a question. Each variable is made when the first expression asks for it. */
  readonly about: <T>(question: Question, run: (variables: Activation) => T) => T;
}

/**
 * `subject`, `request` and `environment` are maps, `resource` and `action` texts, `now` is the time; `has_role(role)` knows the hierarchy
 * of roles, `ip_in_range(address, network)` is false for what is neither.
 */
export function abacEnvironment(clock: Clock, expandRoles: ExpandRoles): AbacEnvironment {
  // An evaluation does not wait for anything, so there is one question at a time.
  let current: Question | undefined;
  let roles: ReadonlySet<string> | undefined;
  const hasRole = (role: string): boolean => (roles ??= expandRoles(current?.identity.roles ?? [])).has(role);
  const env: CelEnv = {
    variables: new Map([
      ["subject", attributes],
      ["request", attributes],
      ["environment", attributes],
      ["resource", stringType],
      ["action", stringType],
      ["now", timestampType],
    ]),
    functions: [
      ["has_role", [fn("has_role_string", "string -> bool", hasRole)]],
      ["ip_in_range", [fn("ip_in_range_string_string", "string, string -> bool", isInRange)]],
    ],
  };
  return {
    env,
    about(question, run) {
      const made = new Map<string, CelValue>();
      current = question;
      roles = undefined;
      try {
        return run((name) => {
          const known = made.get(name);
          if (known !== undefined) return known;
          const value = valueOf(name, question, clock);
          if (value !== undefined) made.set(name, value);
          return value;
        });
      } finally {
        current = undefined;
        roles = undefined;
      }
    },
  };
}

function valueOf(name: string, question: Question, clock: Clock): CelValue | undefined {
  switch (name) {
    case "subject":
      return fromJson(subjectAttributes(question), attributes);
    case "request":
      return fromJson(requestAttributes(question), attributes);
    case "resource":
      return question.resource;
    case "action":
      return question.action;
    case "now":
      return timeOf(clock);
    case "environment":
      return mapOf(
        new Map<string, CelValue>([
          ["time", timeOf(clock)],
          ["route", question.call.route.id],
          ["listener", question.call.listener],
        ]),
      );
    default:
      return undefined;
  }
}

function timeOf(clock: Clock): CelValue {
  return fromJson(new Date(clock.now()).toISOString(), timestampType);
}

function mapOf(entries: ReadonlyMap<string, CelValue>): CelMap {
  return {
    kind: "map",
    size: entries.size,
    get: (key) => (typeof key === "string" ? entries.get(key) : undefined),
    keys: () => entries.keys(),
  };
}

function isInRange(address: string, network: string): boolean {
  const slash = network.indexOf("/");
  const ip = plainAddress(address);
  const base = plainAddress(network.slice(0, slash));
  const digits = network.slice(slash + 1);
  if (slash === -1 || ip === undefined || base === undefined || !/^\d{1,3}$/u.test(digits)) return false;
  const bits = Number(digits);
  if (ip.family !== base.family || bits > base.bytes.length * 8) return false;
  return ip.bytes.every((byte, index) => {
    const mask = (0xff00 >> Math.min(8, Math.max(0, bits - 8 * index))) & 0xff;
    return (byte & mask) === ((base.bytes[index] ?? 0) & mask);
  });
}

/** An address, of the family that it belongs to: IPv4 within IPv6 is IPv4. */
function plainAddress(text: string): IPAddress | undefined {
  const ip = parseIP(text);
  if (ip === undefined || !isIPv4Mapped(ip)) return ip;
  return parseIP(formatIP(ip).slice("::ffff:".length));
}
