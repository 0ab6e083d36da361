import { startLocalCloud } from "@gatewright/local-aws";
import { systemClock, systemRandom } from "@gatewright/ports";
import { freePorts } from "../../testbed/index.ts";

/** What `cloudProcess` runs: a local cloud on the folder that it is given, which ends when its input does. */
const [api = 0, dns = 0] = await freePorts(2);
const cloud = await startLocalCloud({
  folder: process.argv[2] ?? "",
  clock: systemClock,
  random: systemRandom,
  pace: { durations: 0, lag: false },
  limits: "off",
  api: { port: api },
  dns: { port: dns },
  onFault: (error, where) => console.error(where, error),
});
console.log(JSON.stringify({ url: cloud.url, dns: cloud.dns, ca: await cloud.caCertificate() }));
process.stdin.resume().once("close", () => process.exit());
