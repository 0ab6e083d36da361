import { AwsCallError, CredentialsError } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import type { InstallSettings } from "../install/install-settings.ts";
import { fail, ok, warn } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** What a load balancer has without a word to AWS; less than that is told. */
const USUAL: ReadonlyMap<string, number> = new Map([
  ["certificates-per-application-load-balancer", 25],
  ["rules-per-application-load-balancer", 100],
  ["target-groups-per-application-load-balancer", 100],
]);

/** Whether AWS can be asked, as whoever the environment says, and has what hostnames need. */
export async function awsChecks(
  aws: Aws | undefined,
  { parts, zones }: InstallSettings,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  if (aws === undefined)
    return [
      warn(
        "AWS",
        "the environment says nothing of AWS: not looked at",
        "Set AWS_REGION and credentials, such as AWS_ACCESS_KEY_ID, to have it looked at as you; the operator has a role of its own.",
      ),
    ];
  const findings: Finding[] = [];
  try {
    const { Account, Arn } = await aws.sts.getCallerIdentity({}, { signal });
    findings.push(
      ok("AWS identity", `${Arn} of account ${Account}, in ${aws.region}; the operator has a role of its own`),
    );
  } catch (error) {
    return [fail("AWS identity", wordsOf(error), "Give credentials that AWS knows.")];
  }
  if (!parts.includes("hostnames")) return findings;
  for (const zone of zones) findings.push(await zoneCheck(aws, zone, signal));
  return [...findings, ...(await limits(aws, signal))];
}

async function zoneCheck(aws: Aws, id: string, signal: AbortSignal): Promise<Finding> {
  const check = `zone ${id}`;
  try {
    const { HostedZone } = await aws.route53.getHostedZone({ Id: id }, { signal });
    const name = HostedZone?.Name?.replace(/\.$/u, "") ?? "";
    if (HostedZone?.Config?.PrivateZone === true)
      return fail(check, `${name} is private`, "Certificates are validated in public zones: name the public one.");
    return ok(check, name);
  } catch (error) {
    const remedy = "See that it is a zone of this account, and that you may call route53:GetHostedZone on it.";
    if (error instanceof AwsCallError && error.kind === "absent") return fail(check, "there is no such zone", remedy);
    return warn(check, wordsOf(error), remedy);
  }
}

async function limits(aws: Aws, signal: AbortSignal): Promise<readonly Finding[]> {
  const check = "AWS quotas";
  try {
    const { Limits = [] } = await aws.elbv2.describeAccountLimits({}, { signal });
    const told = Limits.flatMap(({ Name = "", Max = "" }) =>
      USUAL.has(Name) ? [{ name: Name, most: Number(Max) }] : [],
    );
    const words = told.map(({ name, most }) => `${most} ${name.replace("-per-application-load-balancer", "")}`);
    const low = told.filter(({ name, most }) => most < (USUAL.get(name) ?? 0));
    const message = `a load balancer may have ${words.join(", ")}`;
    if (words.length === 0) return [];
    return low.length === 0
      ? [ok(check, message)]
      : [warn(check, message, "Less than usual: more load balancers will be made. Service Quotas raises it.")];
  } catch (error) {
    return [warn(check, wordsOf(error), "The operator needs elasticloadbalancing:DescribeAccountLimits.")];
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof CredentialsError) return `${error.message}. ${error.remedy}`;
  if (error instanceof AwsCallError) return error.message;
  throw error;
}
