import type { Operations } from "@gatewright/aws-wire/types/acm";
import type { Certificates, CertificateUse, PublicDns, TaggedResources } from "../neighbours.ts";
import { service } from "../service.ts";
import type { Service } from "../service.ts";
import type { AwsWorld } from "../world.ts";
import { certificateOperations } from "./certificate-operations.ts";
import { CertificateUsers } from "./certificate-users.ts";
import type { IssuedKeys } from "./issue.ts";
import { LocalAuthority } from "./local-authority.ts";
import { optionOperations } from "./option-operations.ts";
import { DEFAULT_ACM_QUOTAS } from "./quotas.ts";
import type { AcmQuotas } from "./quotas.ts";
import { RequestQuota } from "./request-quota.ts";
import { Settler } from "./settler.ts";
import { statusAt } from "./status.ts";
import { AcmStore } from "./store.ts";
import { taggedCertificates, tagOperations } from "./tag-operations.ts";

/** ACM, and what it is to its neighbours. */
export interface Acm {
  readonly service: Service;
  readonly certificates: Certificates;
  readonly tagged: TaggedResources;
  /** PEM of the authority that vouches for everything that is issued: what clients on the laptop have to trust. */
  caCertificate(): Promise<string>;
  /**
   * Looks at every certificate and does what is due: sees validations, issues, renews. Reads do the same for what they read; call
   * it about once a second so that nothing waits for a reader.
   */
  tick(signal: AbortSignal): Promise<void>;
}

export interface AcmOptions {
  readonly quotas?: Partial<AcmQuotas>;
  /** Default: those that were asked for. */
  readonly keys?: IssuedKeys;
}

/** ACM on a world. `use` may be given by who needs the certificates: it is asked only when operations run. */
export function createAcm(
  world: AwsWorld,
  neighbours: { readonly dns: PublicDns; readonly use: CertificateUse },
  options: AcmOptions = {},
): Acm {
  const store = new AcmStore(world.state);
  const users = new CertificateUsers(world, neighbours.use);
  const authority = new LocalAuthority(world);
  const settler = new Settler(world, store, neighbours.dns, users, authority, options.keys ?? "as-asked");
  const quotas = { ...DEFAULT_ACM_QUOTAS, ...options.quotas };
  const mostNames = quotas.namesPerCertificate;
  const ground = { world, store, users, settler, quota: new RequestQuota(store, quotas), mostNames };
  const shown: Certificates["shown"] = (arn) => {
    const record = store.certificates.get(arn);
    const material = store.materials.get(arn);
    const status = record && statusAt(record, world.clock.now());
    if (record === undefined || material === undefined || (status !== "ISSUED" && status !== "EXPIRED"))
      return undefined;
    users.watch(arn);
    const chain = `${material.certificate}${material.chain}`;
    return { arn, chain, key: material.key, names: record.names, ended: status === "EXPIRED" };
  };
  return {
    service: service<Operations>("acm", {
      ...certificateOperations(ground),
      ...tagOperations(store),
      ...optionOperations(ground),
    }),
    certificates: {
      exists: (arn) => store.certificates.get(arn) !== undefined,
      serving: (arn) => {
        const found = shown(arn);
        return found?.ended === true ? undefined : found;
      },
      shown,
    },
    tagged: taggedCertificates(store),
    caCertificate: async () => (await authority.get()).certificate,
    tick: (signal) => settler.tick(signal),
  };
}
