import type { Rule } from "@gatewright/kube/define";

const MANAGED = "(has(self.manageMasterUserPassword) && self.manageMasterUserPassword)";

/** What AWS would refuse, or nobody can mean, over several fields of an RDSInstance. */
export const RDS_RULES: readonly Rule[] = [
  {
    rule: `has(self.dbSnapshotIdentifier) || (has(self.engine) && has(self.dbInstanceClass) && has(self.allocatedStorage) && has(self.masterUsername))`,
    message:
      "engine, dbInstanceClass, allocatedStorage and masterUsername are needed unless dbSnapshotIdentifier is set",
  },
  {
    rule: `!${MANAGED} || (!has(self.masterUserPassword) && !has(self.masterUserPasswordSecretRef))`,
    message: "the password is managed by RDS or given by masterUserPasswordSecretRef, not both",
    fieldPath: ".manageMasterUserPassword",
  },
  {
    rule: `has(self.dbSnapshotIdentifier) || ${MANAGED} || has(self.masterUserPassword) || has(self.masterUserPasswordSecretRef)`,
    message: "a password is needed: masterUserPasswordSecretRef, or manageMasterUserPassword",
  },
  {
    rule: `!has(self.masterUserSecretKmsKeyID) || ${MANAGED}`,
    message: "masterUserSecretKmsKeyID is for passwords that RDS manages",
    fieldPath: ".masterUserSecretKmsKeyID",
  },
  {
    rule: "!has(self.masterUserPassword) || !has(self.engine) || self.masterUserPassword.size() <= (self.engine in ['mysql', 'mariadb'] ? 41 : self.engine.startsWith('oracle') ? 30 : 128)",
    message: "the password is too long: mysql and mariadb take 41 characters, oracle 30",
    fieldPath: ".masterUserPassword",
  },
  {
    rule: "!has(self.masterUsername) || !has(self.engine) || self.masterUsername.size() <= (self.engine == 'mysql' || self.engine == 'mariadb' ? 16 : self.engine.startsWith('oracle') ? 30 : self.engine == 'postgres' ? 63 : 128)",
    message: "the user's name is too long: mysql and mariadb take 16 characters, oracle 30, postgres 63",
    fieldPath: ".masterUsername",
  },
  {
    rule: "!has(self.masterUsername) || !(self.masterUsername.lowerAscii() in ['rdsadmin', 'rdsrepladmin', 'rds_superuser', 'public'] || (has(self.engine) && self.engine == 'postgres' && self.masterUsername.lowerAscii() == 'admin'))",
    message: "AWS keeps this user's name to itself",
    fieldPath: ".masterUsername",
  },
  {
    rule: "!has(self.dbName) || !has(self.engine) || !self.engine.startsWith('sqlserver')",
    message: "SQL Server makes no database with the instance",
    fieldPath: ".dbName",
  },
  {
    rule: "!has(self.dbName) || !has(self.engine) || !self.engine.startsWith('oracle') || self.dbName.size() <= 8",
    message: "Oracle's database name has up to 8 characters",
    fieldPath: ".dbName",
  },
  {
    rule: "!has(self.allocatedStorage) || (has(self.storageType) ? self.allocatedStorage >= (self.storageType in ['io1', 'io2'] ? 100 : self.storageType == 'standard' ? (has(self.engine) && self.engine.startsWith('sqlserver') ? 20 : has(self.engine) && self.engine.startsWith('oracle') ? 10 : 5) : 20) : self.allocatedStorage >= (has(self.iops) ? 100 : 20))",
    message: "storage is too small for its type: gp2 and gp3 begin at 20 GiB, io1 and io2 at 100, standard at 5",
    fieldPath: ".allocatedStorage",
  },
  {
    rule: "!has(self.allocatedStorage) || !has(self.storageType) || self.storageType != 'standard' || self.allocatedStorage <= 3072",
    message: "standard storage ends at 3072 GiB",
    fieldPath: ".allocatedStorage",
  },
  {
    rule: "!has(self.allocatedStorage) || !has(oldSelf.allocatedStorage) || self.allocatedStorage >= oldSelf.allocatedStorage",
    message: "storage cannot shrink",
    fieldPath: ".allocatedStorage",
  },
  {
    rule: "!has(self.maxAllocatedStorage) || !has(self.allocatedStorage) || self.maxAllocatedStorage * 10 >= self.allocatedStorage * 11",
    message: "maxAllocatedStorage must be larger than allocatedStorage, by a tenth at least",
    fieldPath: ".maxAllocatedStorage",
  },
  {
    rule: "!has(self.iops) || !has(self.storageType) || self.storageType in ['io1', 'io2', 'gp3']",
    message: "iops are for storage of type io1, io2 and gp3",
    fieldPath: ".iops",
  },
  {
    rule: "!has(self.storageType) || !(self.storageType in ['io1', 'io2']) || has(self.iops)",
    message: "storage of type io1 and io2 needs iops",
    fieldPath: ".storageType",
  },
  {
    rule: "!has(self.storageThroughput) || (has(self.storageType) && self.storageType == 'gp3')",
    message: "storageThroughput is for storage of type gp3",
    fieldPath: ".storageThroughput",
  },
  {
    rule: "!(has(self.storageType) && self.storageType == 'gp3' && (has(self.iops) || has(self.storageThroughput)) && has(self.allocatedStorage) && has(self.engine)) || self.allocatedStorage >= (self.engine in ['postgres', 'mysql', 'mariadb'] ? 400 : self.engine.startsWith('oracle') ? 200 : 20)",
    message: "gp3 takes iops and storageThroughput from 400 GiB on, of Oracle from 200",
    fieldPath: ".storageType",
  },
  {
    rule: "!(has(self.storageType) && self.storageType == 'gp3' && has(self.iops)) || (self.iops >= 3000 && self.iops <= 64000)",
    message: "gp3 has 3000 to 64000 iops",
    fieldPath: ".iops",
  },
  {
    rule: "!has(self.kmsKeyID) || has(self.dbSnapshotIdentifier) || (has(self.storageEncrypted) && self.storageEncrypted)",
    message: "kmsKeyID is for storage that is encrypted: set storageEncrypted",
    fieldPath: ".kmsKeyID",
  },
  {
    rule: "!(has(self.multiAZ) && self.multiAZ) || !has(self.availabilityZone)",
    message: "an instance with a standby has no zone of its own: leave availabilityZone out",
    fieldPath: ".availabilityZone",
  },
  {
    rule: "!has(self.port) || !has(self.engine) || !self.engine.startsWith('sqlserver') || !(self.port in [1234, 1434, 3260, 3343, 3389, 47001] || (self.port >= 49152 && self.port <= 49156))",
    message: "SQL Server cannot have this port",
    fieldPath: ".port",
  },
  {
    rule: "!(has(self.monitoringInterval) && self.monitoringInterval > 0) || has(self.monitoringRoleARN)",
    message: "monitoringInterval above 0 needs monitoringRoleARN",
    fieldPath: ".monitoringInterval",
  },
  {
    rule: "!has(self.performanceInsightsRetentionPeriod) || self.performanceInsightsRetentionPeriod in [7, 731] || self.performanceInsightsRetentionPeriod % 31 == 0",
    message: "performanceInsightsRetentionPeriod is 7, 731 or a multiple of 31",
    fieldPath: ".performanceInsightsRetentionPeriod",
  },
  {
    rule: "!(has(self.performanceInsightsRetentionPeriod) || has(self.performanceInsightsKMSKeyID)) || (has(self.enablePerformanceInsights) && self.enablePerformanceInsights)",
    message: "set enablePerformanceInsights: what is said about Performance Insights needs it",
    fieldPath: ".enablePerformanceInsights",
  },
  {
    rule: "!has(self.preferredBackupWindow) || self.preferredBackupWindow.substring(0, 5) != self.preferredBackupWindow.substring(6)",
    message: "a window has at least half an hour",
    fieldPath: ".preferredBackupWindow",
  },
];
