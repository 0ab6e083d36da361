import { s } from "@gatewright/kube/define";
import type { Rule } from "@gatewright/kube/define";
import { HOSTNAME, PATH_OF_DOMAIN, SUBDOMAIN } from "./name-fields.ts";

/** The alternatives are not grouped, so the first and last are anchored on one side only: as upstream has it. */
const TYPE = `^Hostname|IPAddress|NamedAddress|${SUBDOMAIN}${PATH_OF_DOMAIN}$`;

const addressType = s.string({
  description: "IPAddress, Hostname, or one that an implementation defines.",
  minLength: 1,
  maxLength: 253,
  pattern: TYPE,
  default: "IPAddress",
});

/** CEL cannot say it: its `isIP` refuses some that the formats take. */
const ipAddress = [
  { properties: { type: { enum: ["IPAddress"] }, value: { anyOf: [{ format: "ipv4" }, { format: "ipv6" }] } } },
  { properties: { type: { not: { enum: ["IPAddress"] } } } },
];

const hostnameValue = (rule: string): Rule => ({ rule, message: "the value is not a hostname" });

const requested = s.object(
  { type: addressType, value: s.string({ description: "The address. Default: any.", maxLength: 253 }).optional() },
  {
    oneOf: ipAddress,
    rules: [hostnameValue(`self.type != 'Hostname' || !has(self.value) || self.value.matches(r"${HOSTNAME}")`)],
  },
);

const unique = (type: string): Rule => ({
  rule: `self.all(a, a.type != '${type}' || !has(a.value) || self.exists_one(b, b.type == a.type && has(b.value) && b.value == a.value))`,
  message: `two addresses of type ${type} are the same`,
});

/** Addresses that a Gateway asks for. */
export const requestedAddresses = s
  .array(requested, {
    description: "Addresses that are asked for. Default: what the implementation gives.",
    maxItems: 16,
    listType: "atomic",
    rules: [unique("IPAddress"), unique("Hostname")],
  })
  .optional();

const assigned = s.object(
  { type: addressType, value: s.string({ description: "The address.", minLength: 1, maxLength: 253 }) },
  {
    oneOf: ipAddress,
    rules: [hostnameValue(`self.type != 'Hostname' || self.value.matches(r"${HOSTNAME}")`)],
  },
);

/** Addresses that a Gateway has. */
export const assignedAddresses = s
  .array(assigned, { description: "Addresses that it has.", maxItems: 16, listType: "atomic" })
  .optional();
