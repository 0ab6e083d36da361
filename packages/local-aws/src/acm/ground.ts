import type { AwsWorld } from "../world.ts";
import type { CertificateUsers } from "./certificate-users.ts";
import type { RequestQuota } from "./request-quota.ts";
import type { Settler } from "./settler.ts";
import type { AcmStore } from "./store.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: AcmStore;
  readonly quota: RequestQuota;
  /** Of one certificate. */
  readonly mostNames: number;
  readonly users: CertificateUsers;
  readonly settler: Settler;
}
