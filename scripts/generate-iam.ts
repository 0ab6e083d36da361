import { DEFAULT_SETTINGS, iamPolicy } from "@gatewright/hostnames";
import { DEFAULT_INFRA_SETTINGS, kindPolicy } from "@gatewright/infra";
import { DEFAULT_INSTALL_SETTINGS, operatorIam, PARTS } from "@gatewright/operator";
import type { Generated } from "./generate.ts";
import { calledOperations } from "./iam/called-operations.ts";

/** Makes the policies that the operator's role in AWS needs, with the settings' defaults: by kind, by part, and one for all. */
export async function generateIam(): Promise<readonly Generated[]> {
  const called = calledOperations();
  const kinds = Array.from(called, ([kind, operations]) =>
    policyFile(kind, kindPolicy(operations, DEFAULT_INFRA_SETTINGS.cluster)),
  );
  const settings = { ...DEFAULT_INSTALL_SETTINGS, called };
  return [
    { file: "packages/infra/src/iam/called-operations.json", text: json(Object.fromEntries(called)) },
    policyFile("hostnames", iamPolicy({ cluster: DEFAULT_SETTINGS.cluster })),
    ...kinds,
    policyFile("infra", operatorIam({ ...settings, parts: ["infra"] })),
    policyFile("gatewright", operatorIam({ ...settings, parts: PARTS })),
  ];
}

function policyFile(name: string, policy: object): Generated {
  return { file: `config/iam/${name}.json`, text: json(policy) };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
