import type { Operations } from "@gatewright/aws-wire/types/rds";
import type { Handlers } from "../service.ts";
import { engineOf, engines, familyOf, isNewer, majorOf } from "./engines.ts";
import { filtered, page } from "./page.ts";

/** Classes that lists of what can be ordered name; any that is well-formed can be had. */
const CLASSES = [
  "db.t3.micro",
  "db.t3.small",
  "db.t3.medium",
  "db.t4g.micro",
  "db.t4g.small",
  "db.t4g.medium",
  "db.m5.large",
  "db.m6g.large",
  "db.m7g.large",
  "db.r6g.large",
  "db.r7g.large",
];
const STORAGE = [
  ["gp2", 20],
  ["gp3", 20],
  ["io1", 100],
] as const;

/** What there is to choose from: versions and classes. Small tables, not all that AWS has. */
export function engineListings(): Handlers<Operations> {
  return {
    DescribeDBEngineVersions(input) {
      const { Engine: name, EngineVersion: version, DBParameterGroupFamily: family, DefaultOnly: defaultOnly } = input;
      const all = engines()
        .filter((engine) => name === undefined || engine.name === name)
        .flatMap((engine) => engine.versions.map((one) => ({ engine, version: one })))
        .filter(
          (one) =>
            (version === undefined || one.version === version || majorOf(one.engine, one.version) === version) &&
            (family === undefined || familyOf(one.engine, one.version) === family) &&
            (defaultOnly !== true || one.version === one.engine.defaultVersion),
        );
      const known = new Map([
        ["engine", (one: (typeof all)[number]) => one.engine.name],
        ["engine-version", (one: (typeof all)[number]) => one.version],
        ["db-parameter-group-family", (one: (typeof all)[number]) => familyOf(one.engine, one.version)],
        ["status", () => "available"],
      ]);
      const { items, marker } = page(
        filtered(all, input.Filters, known),
        (one) => `${one.engine.name} ${one.version}`,
        input,
      );
      return {
        ...marker,
        DBEngineVersions: items.map(({ engine, version: one }) => ({
          Engine: engine.name,
          MajorEngineVersion: majorOf(engine, one),
          EngineVersion: one,
          DBParameterGroupFamily: familyOf(engine, one),
          DBEngineDescription: engine.description,
          DBEngineVersionDescription: `${engine.description} ${one}`,
          ValidUpgradeTarget: engine.versions
            .filter((target) => isNewer(target, one))
            .map((target) => ({
              Engine: engine.name,
              EngineVersion: target,
              Description: `${engine.description} ${target}`,
              AutoUpgrade: false,
              IsMajorVersionUpgrade: majorOf(engine, target) !== majorOf(engine, one),
            })),
          ExportableLogTypes: engine.logs,
          SupportsLogExportsToCloudwatchLogs: true,
          SupportsReadReplica: true,
          Status: "available",
        })),
      };
    },

    DescribeOrderableDBInstanceOptions(input, context) {
      const engine = engineOf(input.Engine);
      const all = engine.versions
        .filter((version) => input.EngineVersion === undefined || version === input.EngineVersion)
        .flatMap((version) =>
          CLASSES.flatMap((name) => STORAGE.map(([type, smallest]) => ({ version, name, type, smallest }))),
        )
        .filter(({ name }) => input.DBInstanceClass === undefined || name === input.DBInstanceClass);
      const { items, marker } = page(all, ({ version, name, type }) => `${version} ${name} ${type}`, input);
      return {
        ...marker,
        OrderableDBInstanceOptions: items.map(({ version, name, type, smallest }) => ({
          Engine: engine.name,
          EngineVersion: version,
          DBInstanceClass: name,
          LicenseModel: engine.license,
          AvailabilityZones: ["a", "b", "c"].map((letter) => ({ Name: `${context.region}${letter}` })),
          MultiAZCapable: true,
          ReadReplicaCapable: true,
          Vpc: true,
          SupportsStorageEncryption: true,
          StorageType: type,
          SupportsIops: type === "io1",
          SupportsStorageAutoscaling: true,
          MinStorageSize: smallest,
          MaxStorageSize: 65_536,
          SupportedNetworkTypes: ["IPV4"],
        })),
      };
    },
  };
}
