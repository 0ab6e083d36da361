import type { AwsWorld } from "../world.ts";
import type { CertificateUsers } from "./certificate-users.ts";
import type { AcmQuotas } from "./quotas.ts";
import type { Settler } from "./settler.ts";
import type { AcmStore } from "./store.ts";

/** What the operations stand on. */
export interface Ground {
  readonly world: AwsWorld;
  readonly store: AcmStore;
  readonly quotas: AcmQuotas;
  readonly users: CertificateUsers;
  readonly settler: Settler;
}
