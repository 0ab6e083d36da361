import { createHash } from "node:crypto";
import type { ForwardActionConfig } from "@gatewright/aws-wire/types/elbv2";
import type { Random } from "@gatewright/ports";
import type { TargetRecord } from "../elbv2/records.ts";

/** A number from 0 up to, and without, a limit; evenly. */
export function below(limit: number, random: Random): number {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4);
  return Math.floor(((a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d) / 2 ** 32) * limit);
}

/** The target group of a forward action that gets a request, by weight. Undefined when all weights are 0. */
export function pickGroup(config: ForwardActionConfig, random: Random): string | undefined {
  const groups = config.TargetGroups ?? [];
  if (groups.length === 1) return groups[0]?.TargetGroupArn;
  const total = groups.reduce((sum, { Weight = 1 }) => sum + Weight, 0);
  let left = below(total, random);
  for (const { TargetGroupArn, Weight = 1 } of groups) {
    if (left < Weight) return TargetGroupArn;
    left -= Weight;
  }
  return undefined;
}

/** What a stickiness cookie says: whose it is, without telling who that is, and since when. */
export function stickyToken(subject: string, now: number): string {
  return `${digest(subject)}.${Math.floor(now / 1000).toString(36)}`;
}

/** Whether a cookie was given for a subject, and not longer ago than it holds. */
export function isTokenOf(token: string, subject: string, now: number, seconds: number): boolean {
  const [hash, since = ""] = token.split(".");
  const given = Number.parseInt(since, 36);
  return hash === digest(subject) && given * 1000 <= now && now < (given + seconds) * 1000;
}

/** What a target is called in cookies. */
export function targetSubject({ group, id, port }: TargetRecord): string {
  return `${group}|${id}|${port ?? ""}`;
}

function digest(subject: string): string {
  return createHash("sha256").update(subject).digest("base64url");
}

/** The values of a cookie in a `Cookie` header. */
export function cookieValues(headers: readonly (readonly [string, string])[], name: string): readonly string[] {
  return headers
    .filter(([key]) => key.toLowerCase() === "cookie")
    .flatMap(([, value]) => value.split(";"))
    .flatMap((part) => {
      const [key = "", ...rest] = part.trim().split("=");
      return key === name ? [rest.join("=")] : [];
    });
}
