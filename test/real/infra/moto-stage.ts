import { CreateDBSubnetGroupCommand, CreateOptionGroupCommand, RDSClient } from "@aws-sdk/client-rds";
import { createAws, createHttpSend } from "@gatewright/aws";
import type { Aws } from "@gatewright/aws";
import { sleep, systemClock, systemRandom } from "@gatewright/ports";
import type { KindStage } from "../../../packages/infra/src/kinds/testing/kind-stage.ts";

/** The account that samples of laws name. */
export const ACCOUNT = "000000000000";
const REGION = "eu-west-1";
const CREDENTIALS = { accessKeyId: "test", secretAccessKey: "test" };

/** Moto as the stage of a law: empty but for what every account of AWS has from its beginning. What the last law left is gone. */
export async function motoStage(endpoint: string): Promise<KindStage> {
  const { ok, status } = await fetch(`${endpoint}/moto-api/reset`, { method: "POST" });
  if (!ok) throw new Error(`moto did not forget: ${status}`);
  const http = createHttpSend();
  const { signal } = new AbortController();
  const aws = createAws({
    region: REGION,
    endpoint,
    credentials: async () => CREDENTIALS,
    send: http.send,
    clock: systemClock,
    random: systemRandom,
  });
  const way = { endpoint, region: REGION, credentials: CREDENTIALS, maxAttempts: 3 };
  await makeDefaults(aws, new RDSClient(way));
  return {
    ground: { key: "moto", aws, account: ACCOUNT, region: REGION, partition: "aws", defaultTags: {}, signal },
    sdk: () => ({ ...way, forcePathStyle: true, systemClockOffset: 0 }),
    passing: (work) => work,
    // Moto does everything at once.
    pass: () => sleep(systemClock, 5, signal),
    mostLooks: 40,
    [Symbol.asyncDispose]: async () => http.close(),
  };
}

async function makeDefaults(aws: Aws, rds: RDSClient): Promise<void> {
  const { Subnets: subnets = [] } = await aws.ec2.describeSubnets({});
  const SubnetIds = subnets.flatMap(({ SubnetId: id }) => (id === undefined ? [] : [id]));
  const DBSubnetGroupName = "default";
  await rds.send(
    new CreateDBSubnetGroupCommand({ DBSubnetGroupName, DBSubnetGroupDescription: DBSubnetGroupName, SubnetIds }),
  );
  await rds.send(
    new CreateOptionGroupCommand({
      OptionGroupName: "default:postgres-16",
      OptionGroupDescription: "default",
      EngineName: "postgres",
      // The newest that moto knows.
      MajorEngineVersion: "13",
    }),
  );
  rds.destroy();
}
