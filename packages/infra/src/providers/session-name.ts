import { createHash } from "node:crypto";

const LONGEST = 64;
const LONGEST_NAMESPACE = 40;

/**
 * Of an assumed role: `gatewright@namespace@name`, so that a trust policy can ask for `gatewright@shop@*` as `sts:RoleSessionName`,
 * and CloudTrail tells who it was. Names of Kubernetes hold neither `@` nor `_`; what is too long is cut, with a hash after `_`.
 */
export function sessionName(namespace: string, name: string): string {
  const start = `gatewright@${cut(namespace, LONGEST_NAMESPACE)}@`;
  return start + cut(name, LONGEST - start.length);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${text.slice(0, most - 9)}_${hash}`;
}
