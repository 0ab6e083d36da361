import type { CertificateUse } from "../neighbours.ts";
import type { ElbStore } from "./store.ts";

/** Which load balancers have which certificates. Built anew only after something changed. */
export function certificateUse(store: ElbStore): CertificateUse {
  let built = -1;
  let users = new Map<string, Set<string>>();
  return {
    usersOf(arn) {
      if (built !== store.revision) {
        users = index(store);
        built = store.revision;
      }
      return [...(users.get(arn) ?? [])];
    },
  };
}

function index(store: ElbStore): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const [, { certificate, extraCertificates, loadBalancer }] of store.listeners.list()) {
    for (const arn of [...extraCertificates, ...(certificate === undefined ? [] : [certificate])]) {
      users.set(arn, (users.get(arn) ?? new Set()).add(loadBalancer));
    }
  }
  return users;
}
