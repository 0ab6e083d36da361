import { DEFAULT_SETTINGS, iamPolicy } from "@gatewright/hostnames";
import { DEFAULT_INFRA_SETTINGS, kindPolicy } from "@gatewright/infra";
import type { Generated } from "./generate.ts";
import { calledOperations } from "./iam/called-operations.ts";

/** Makes the policies that the operator's role in AWS needs, with the settings' defaults. */
export async function generateIam(): Promise<readonly Generated[]> {
  const hostnames = iamPolicy({ cluster: DEFAULT_SETTINGS.cluster });
  const kinds = Array.from(calledOperations(), ([kind, operations]) =>
    policyFile(kind, kindPolicy(operations, DEFAULT_INFRA_SETTINGS.cluster)),
  );
  return [policyFile("hostnames", hostnames), ...kinds];
}

function policyFile(name: string, policy: object): Generated {
  return { file: `config/iam/${name}.json`, text: `${JSON.stringify(policy, undefined, 2)}\n` };
}
