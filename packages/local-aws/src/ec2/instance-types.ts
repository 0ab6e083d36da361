import { AwsError } from "../aws-error.ts";

/** What is known of a type of instance. */
export interface InstanceType {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly architecture: "x86_64" | "arm64";
  readonly burstable: boolean;
}

/** Memory for each vCPU in MiB, by the letter that families begin with. */
const MEMORY_PER_VCPU: ReadonlyMap<string, number> = new Map([
  ["c", 2048],
  ["m", 4096],
  ["r", 8192],
  ["i", 8192],
]);

const FAMILIES = /^(t2|t3|t3a|t4g|[cmr][4-8](a|i|g|gd|gn|d|n|ad|id|in|idn|i-flex|dn)?|i3|i4i|i7i)$/;
const BURSTABLE: ReadonlyMap<string, readonly [vcpus: number, memoryMiB: number]> = new Map([
  ["nano", [2, 512]],
  ["micro", [2, 1024]],
  ["small", [2, 2048]],
  ["medium", [2, 4096]],
  ["large", [2, 8192]],
  ["xlarge", [4, 16_384]],
  ["2xlarge", [8, 32_768]],
]);
const MULTIPLES = [1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 32, 48];

/** Types that lists tell when none is asked for; more can be had. */
export const LISTED_TYPES: readonly string[] = ["t3", "t3a", "t4g"]
  .flatMap((family) => [...BURSTABLE.keys()].map((size) => `${family}.${size}`))
  .concat(
    ["c7i", "c7g", "m7i", "m7g", "r7i", "r7g"].flatMap((family) =>
      ["large", "xlarge", "2xlarge", "4xlarge"].map((size) => `${family}.${size}`),
    ),
  );

/** A type by its name; undefined when AWS has none that is called so, as far as is known here. */
export function instanceType(name: string): InstanceType | undefined {
  const [family = "", size = "", ...more] = name.split(".");
  if (more.length > 0 || !FAMILIES.test(family)) return undefined;
  const architecture = /^[a-z]\d+g/.test(family) ? "arm64" : "x86_64";
  if (family.startsWith("t")) {
    const [vcpus, memoryMiB] = BURSTABLE.get(size) ?? [];
    if (vcpus === undefined || memoryMiB === undefined) return undefined;
    return { name, vcpus: family === "t2" && memoryMiB <= 2048 ? 1 : vcpus, memoryMiB, architecture, burstable: true };
  }
  const vcpus = vcpusOf(size);
  if (vcpus === undefined) return undefined;
  const memory = MEMORY_PER_VCPU.get(family.charAt(0)) ?? 4096;
  return { name, vcpus, memoryMiB: vcpus * memory, architecture, burstable: false };
}

/** The type that a launch asks for. */
export function launchableType(name: string): InstanceType {
  const type = instanceType(name);
  if (type === undefined) throw new AwsError("InvalidParameterValue", `Invalid value '${name}' for InstanceType.`);
  return type;
}

function vcpusOf(size: string): number | undefined {
  if (size === "medium") return 1;
  if (size === "large") return 2;
  const [, times] = /^(\d*)xlarge$/.exec(size) ?? [];
  if (times === undefined) return undefined;
  const multiple = times === "" ? 1 : Number(times);
  return MULTIPLES.includes(multiple) ? multiple * 4 : undefined;
}
