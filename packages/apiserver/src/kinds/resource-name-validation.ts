import {
  compareQuantities,
  integerQuantity,
  invalid,
  isQualifiedName,
  quantityOf,
  quantitySign,
  roundedUp,
} from "@gatewright/kube";
import type { FieldError, FieldPath, Json } from "@gatewright/kube";

const CONTAINER_RESOURCES = new Set(["cpu", "memory", "ephemeral-storage"]);

const COUNTED = [
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
];

const STANDARD_RESOURCES = new Set([
  ...CONTAINER_RESOURCES,
  ...["requests.", "limits."].flatMap((prefix) => [...CONTAINER_RESOURCES].map((name) => prefix + name)),
  ...COUNTED,
  "storage",
  "requests.storage",
]);

const HUGE_PAGES = /^(requests\.)?hugepages-/;

/** Amounts of these are whole numbers. */
const INTEGER_RESOURCES = new Set(COUNTED);

/** In the kubernetes.io domain, said or implied. */
const isNative = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");

export const isHugePages = (name: string): boolean => name.startsWith("hugepages-");

/** Whether containers may promise each other more of a resource than there is. */
export const isOvercommitAllowed = (name: string): boolean => isNative(name) && !isHugePages(name);

function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && isQualifiedName(`requests.${name}`).length === 0;
}

/** Whether a resource is one that the server knows by itself. */
export const isStandardResource = (name: string): boolean => STANDARD_RESOURCES.has(name) || HUGE_PAGES.test(name);

/** The name of a resource: a known one, or one with a domain. */
export function resourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = isQualifiedName(name).map((why) => invalid(path, name, why));
  if (errors.length > 0 || name.includes("/") || isStandardResource(name)) return errors;
  return [invalid(path, name, "must be a standard resource type or fully qualified")];
}

/** The name of a resource that a container can use. */
export function containerResourceNameErrors(name: string, path: FieldPath): FieldError[] {
  const errors = resourceNameErrors(name, path);
  if (!name.includes("/")) {
    const known = CONTAINER_RESOURCES.has(name) || isHugePages(name);
    return known ? errors : [...errors, invalid(path, name, "must be a standard resource for containers")];
  }
  if (isNative(name) || isExtended(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

/** An amount of a resource: not negative, and whole where only whole ones make sense. */
export function resourceAmountErrors(name: string, amount: Json, path: FieldPath): FieldError[] {
  const quantity = quantityOf(amount);
  if (quantity === undefined) return [];
  const errors: FieldError[] = [];
  if (quantitySign(quantity) < 0) errors.push(invalid(path, amount, "must be greater than or equal to 0"));
  const whole = compareQuantities(quantity, integerQuantity(roundedUp(quantity))) === 0;
  if (!whole && (INTEGER_RESOURCES.has(name) || isExtended(name)))
    errors.push(invalid(path, amount, "must be an integer"));
  return errors;
}
