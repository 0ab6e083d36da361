import { readFile } from "node:fs/promises";
import { nodeFetchJson } from "@gatewright/gateway";
import { askVault, confirmedByAll, gatewayCertificates, vaultCertificates } from "@gatewright/routing";
import type { Manager, OperatorParts } from "@gatewright/runtime";
import { certificateFiles, createCaInjector, secretCertificates, validatingTarget } from "@gatewright/runtime/webhook";
import type { CertificateSource } from "@gatewright/runtime/webhook";
import type { PartSettings } from "./part-settings.ts";

/** Where the operator's certificate is from, with what that needs. `hosts`: the names that it is dialled by. */
export type CertificateSettings =
  | { readonly mode: "selfsigned"; readonly secret: string; readonly hosts: readonly string[] }
  | {
      readonly mode: "vault";
      readonly address: string;
      readonly mount: string;
      readonly role: string;
      readonly login: { readonly role: string; readonly mount: string };
      readonly hosts: readonly string[];
    }
  | {
      readonly mode: "file" | "cert-manager";
      readonly certificateFile: string;
      readonly keyFile: string;
      readonly authorityFile: string;
    };

const SERVICE_ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** The operator's certificate, as the settings say, and all that tells API servers and gateways of its authority. */
export function operatorCertificates(
  manager: Manager,
  { clock, random, log, metrics }: OperatorParts,
  { namespace, routing }: PartSettings,
): CertificateSource {
  const { certificates: given, gateways, webhookConfiguration, settings } = routing;
  const targets = settings.webhooks === undefined ? [] : [validatingTarget(webhookConfiguration)];
  const inject = (certificates: CertificateSource): void => {
    if (targets.length === 0) return;
    const injector = createCaInjector({ client: manager.ungated, targets, certificates, clock, log });
    manager.addRunnable(injector);
    manager.addCheck(injector.check);
  };
  switch (given.mode) {
    case "selfsigned": {
      const secret = { namespace, name: given.secret };
      const own = secretCertificates({ client: manager.ungated, secret, hosts: given.hosts, clock, random, log });
      const tellers = [...targets, ...(gateways.length > 0 ? [gateways] : [])].length;
      const [first = own, second = first] = confirmedByAll(own, tellers);
      inject(first);
      if (gateways.length > 0)
        manager.addRunnable(gatewayCertificates({ gateways, authority: second, client: manager.client, clock, log }));
      return own;
    }
    case "vault": {
      const { address, mount, role, login, hosts } = given;
      const vault = vaultCertificates({
        ask: askVault(address, nodeFetchJson({ clock })),
        serviceAccountToken: (signal) => readFile(SERVICE_ACCOUNT_TOKEN, { encoding: "utf8", signal }),
        mount,
        role,
        login,
        hosts,
        clock,
        random,
        log,
      });
      inject(vault);
      return vault;
    }
    default: {
      const { certificateFile, keyFile, authorityFile } = given;
      const files = certificateFiles({ certificateFile, keyFile, authorityFile, clock, log, metrics });
      if (given.mode === "file") inject(files);
      return files;
    }
  }
}
