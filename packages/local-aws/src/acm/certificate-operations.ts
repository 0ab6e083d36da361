import { createPrivateKey } from "node:crypto";
import type { Operations } from "@gatewright/aws-wire/types/acm";
import { AwsError } from "../aws-error.ts";
import type { CallContext, Handlers } from "../service.ts";
import { certificateDetail } from "./certificate-detail.ts";
import type { Ground } from "./ground.ts";
import { isKnown } from "./new-certificate.ts";
import { importCertificate } from "./import-certificate.ts";
import { listCertificates } from "./list-certificates.ts";
import type { CertificateRecord, Material } from "./records.ts";
import { inProgress, invalid, notFound } from "./refusals.ts";
import { requestCertificate } from "./request-certificate.ts";
import { searchCertificates } from "./search-certificates.ts";

/** Asking for certificates, reading them and letting go of them. */
export function certificateOperations({
  world,
  store,
  quota,
  mostNames,
  users,
  settler,
}: Ground): Handlers<Operations> {
  const sight = () => ({ now: world.clock.now(), inUse: (arn: string) => users.usersOf(arn).length > 0 });
  const materialOf = (record: CertificateRecord): Material => {
    const material = record.phase.is === "issued" ? store.materials.get(record.arn) : undefined;
    if (material === undefined) throw inProgress(record.arn);
    return material;
  };
  const known = (context: CallContext, arn: string): CertificateRecord => {
    const record = store.certificate(context, arn);
    if (!isKnown(record, world)) throw notFound(arn, context.account);
    return record;
  };
  const allKnown = (context: CallContext): readonly CertificateRecord[] =>
    store.certificatesIn(context).filter((record) => isKnown(record, world));
  return {
    RequestCertificate: (input, context) => requestCertificate(world, store, quota, mostNames, context, input),
    ImportCertificate: (input, context) => importCertificate(world, store, quota, context, input),
    DescribeCertificate: async ({ CertificateArn: arn }, context) => {
      known(context, arn);
      await settler.settle(arn);
      const { clock, pace } = world;
      const seen = { now: clock.now(), durations: pace.durations, users: users.usersOf(arn) };
      return { Certificate: certificateDetail(store.certificate(context, arn), seen) };
    },
    GetCertificate: async ({ CertificateArn: arn }, context) => {
      known(context, arn);
      await settler.settle(arn);
      const { certificate, chain } = materialOf(store.certificate(context, arn));
      return { Certificate: certificate, ...(chain !== "" && { CertificateChain: chain }) };
    },
    ExportCertificate: async ({ CertificateArn: arn, Passphrase }, context) => {
      const record = store.certificate(context, arn);
      const { certificate, chain, key } = materialOf(record);
      if (record.export !== "ENABLED") throw invalid(`Certificate ${arn} cannot be exported.`);
      if (Passphrase.length < 4 || Passphrase.length > 128)
        throw invalid("The passphrase must have between 4 and 128 bytes.");
      if (!record.exported)
        await store.commit((commit) => commit.put(store.certificates, arn, { ...record, exported: true }));
      const passphrase = Buffer.from(Passphrase);
      const encrypted = createPrivateKey(key).export({
        type: "pkcs8",
        format: "pem",
        cipher: "aes-256-cbc",
        passphrase,
      });
      return { Certificate: certificate, CertificateChain: chain, PrivateKey: encrypted.toString() };
    },
    DeleteCertificate: async ({ CertificateArn: arn }, context) => {
      const record = store.certificate(context, arn);
      if (users.usersOf(arn).length > 0) throw new AwsError("ResourceInUseException", `Certificate ${arn} is in use.`);
      await store.commit((commit) => quota.remove(commit, context, record));
      return {};
    },
    ListCertificates: async (input, context) => {
      await settler.settleSome(context);
      return listCertificates(allKnown(context), input, sight());
    },
    SearchCertificates: async (input, context) => {
      await settler.settleSome(context);
      return searchCertificates(allKnown(context), input, sight());
    },
  };
}
