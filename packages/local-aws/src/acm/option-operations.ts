import type { Operations } from "@gatewright/aws-wire/types/acm";
import { AwsError } from "../aws-error.ts";
import type { Handlers } from "../service.ts";
import type { Ground } from "./ground.ts";
import { isRenewable } from "./progress.ts";
import { inProgress, invalid, invalidDomains } from "./refusals.ts";
import { statusAt } from "./status.ts";
import { placeKey } from "./store.ts";

const DEFAULT_DAYS = 45;

/** What can be changed of certificates, and of the account. */
export function optionOperations({ world, store, users, settler }: Ground): Handlers<Operations> {
  return {
    UpdateCertificateOptions: async ({ CertificateArn: arn, Options }, context) => {
      const record = store.certificate(context, arn);
      if (record.type === "IMPORTED") throw invalid("Options of imported certificates cannot be changed.");
      if (statusAt(record, world.clock.now()) !== "ISSUED") {
        throw new AwsError("InvalidStateException", `Certificate ${arn} is not issued.`);
      }
      if (Options.ValidationMethod !== undefined && Options.ValidationMethod !== record.validation?.method) {
        throw invalid("A change of the validation method is not supported here.");
      }
      const { CertificateTransparencyLoggingPreference: logging = record.transparencyLogging, Export = record.export } =
        Options;
      const changed = { ...record, transparencyLogging: logging, export: Export };
      await store.commit((commit) => commit.put(store.certificates, arn, changed));
      return {};
    },
    RenewCertificate: async ({ CertificateArn: arn }, context) => {
      const record = store.certificate(context, arn);
      if (record.phase.is !== "issued") throw inProgress(arn);
      if (!isRenewable(record, users.usersOf(arn).length > 0) || statusAt(record, world.clock.now()) !== "ISSUED") {
        throw invalid(`Certificate ${arn} is not eligible for renewal.`);
      }
      const updatedAt = world.clock.now();
      const renewal = { status: "PENDING_AUTO_RENEWAL", updatedAt, found: record.names.map(() => false) } as const;
      await store.commit((commit) => commit.put(store.certificates, arn, { ...record, renewal }));
      await settler.settle(arn);
      return {};
    },
    ResendValidationEmail: ({ CertificateArn: arn, Domain, ValidationDomain }, context) => {
      const record = store.certificate(context, arn);
      const [domain, validationDomain] = [Domain.toLowerCase(), ValidationDomain.toLowerCase()];
      if (record.validation?.method !== "EMAIL" || statusAt(record, world.clock.now()) !== "PENDING_VALIDATION") {
        throw new AwsError("InvalidStateException", `Certificate ${arn} does not wait for an email.`);
      }
      if (!record.names.includes(domain) || (domain !== validationDomain && !domain.endsWith(`.${validationDomain}`))) {
        throw invalidDomains(`${ValidationDomain} does not validate ${Domain}.`);
      }
      return {};
    },
    GetAccountConfiguration: (_input, context) => ({
      ExpiryEvents: { DaysBeforeExpiry: store.configurations.get(placeKey(context))?.daysBeforeExpiry ?? DEFAULT_DAYS },
    }),
    PutAccountConfiguration: async ({ ExpiryEvents, IdempotencyToken: token }, context) => {
      const before = store.configurations.get(placeKey(context));
      const daysBeforeExpiry = ExpiryEvents?.DaysBeforeExpiry ?? before?.daysBeforeExpiry ?? DEFAULT_DAYS;
      if (before?.token === token && before.daysBeforeExpiry !== daysBeforeExpiry) {
        throw new AwsError("ConflictException", "The idempotency token was used with another configuration.");
      }
      await store.commit((commit) => commit.put(store.configurations, placeKey(context), { daysBeforeExpiry, token }));
      return {};
    },
  };
}
