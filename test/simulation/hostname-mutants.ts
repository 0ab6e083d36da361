import type { Mutant } from "./mutants.ts";

const CLAIMS = "packages/hostnames/src/claims";

/** Bugs of the controllers of hostnames. */
export const HOSTNAME_MUTANTS: readonly Mutant[] = [
  {
    name: "alias-before-listener",
    about: "a record leads to a load balancer that has no listener for the hostname yet",
    file: `${CLAIMS}/policies/placement.ts`,
    find: `  if (gateway === undefined || !gateway.attached) {`,
    replace: `  if (gateway?.loadBalancer === undefined) {`,
    scenario: "hostnames",
  },
  {
    name: "listener-before-alias-gone",
    about: "a hostname's listener goes while its records still lead there",
    file: `${CLAIMS}/policies/release.ts`,
    find: `  const withAlias = recordsOf(memory, "alias").length > 0 && !retained;`,
    replace: `  const withAlias = recordsOf(memory, "alias").length > 99 && !retained;`,
    scenario: "hostnames",
  },
  {
    name: "certificate-gone-before-configuration",
    about: "a certificate is deleted that a configuration still names, which no load balancer has seen yet",
    file: `${CLAIMS}/policies/release-certificate.ts`,
    find: `  if (answers.users.named) return`,
    replace: `  if (answers.users.arn === "") return`,
    scenario: "hostnames",
    open: true,
  },
  {
    name: "unsure-apply-remembered",
    about: "what was written before an apply that got no reply is believed to be there still",
    file: "packages/hostnames/src/pool/pool-objects.ts",
    find: `wanted)) this.#written.delete(id);`,
    replace: `wanted)) undefined;`,
    scenario: "hostnames",
  },
  {
    name: "aws-ungated",
    about: "AWS is changed by a process that may have lost the lease",
    file: "test/simulation/hostnames.ts",
    find: `gate: () => manager.gate.check()`,
    replace: `gate: () => undefined`,
    scenario: "hostnames",
    open: true,
  },
];
