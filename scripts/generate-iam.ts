import { DEFAULT_SETTINGS, iamPolicy } from "@gatewright/hostnames";
import type { Generated } from "./generate.ts";

/** Makes the policies that the operator's role in AWS needs, with the settings' defaults. */
export async function generateIam(): Promise<readonly Generated[]> {
  const policy = iamPolicy({ cluster: DEFAULT_SETTINGS.cluster });
  return [{ file: "config/iam/hostnames.json", text: `${JSON.stringify(policy, undefined, 2)}\n` }];
}
