import { systemClock, systemRandom } from "@gatewright/ports";
import { fileSource } from "../../packages/gateway/src/configuration/files/file-source.ts";
import { Gateway } from "../../packages/gateway/src/gateway.ts";

/** Our gateway in a process of its own, as its settings in a file say. */
const { signal } = new AbortController();
const [file = ""] = process.argv.slice(2);
const files = await fileSource(file, { clock: systemClock, changed() {} }, signal);
const { settings, objects } = files.current;
const gateway = new Gateway(settings, {
  clock: systemClock,
  random: systemRandom,
  observer: { started() {}, ended() {}, fault: (where, error) => console.error(where, error) },
  fault: (error) => console.error(error),
});
for (const finding of gateway.replace(objects)) console.error(finding);
await gateway.listen(settings, signal);
process.once("SIGTERM", () => process.exit(0));
