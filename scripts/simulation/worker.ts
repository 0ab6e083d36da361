import { formatPlan, simulation } from "@gatewright/runtime/simulation";
import { SCENARIOS } from "../../test/simulation/scenarios.ts";
import type { Report, Task } from "./messages.ts";
import { reportTask } from "./run-task.ts";

// A process of its own: does the tasks that its parent sends, one after the other.
const scenario = SCENARIOS.find(({ name }) => name === process.argv[2]);
if (scenario === undefined) throw new Error(`there is no scenario ${process.argv[2]}`);
const tell = (report: Report): void => void process.send?.(report);
const simulated = await simulation(scenario);
let last = Promise.resolve();
process.on("message", (task: Task) => {
  last = last.then(async () => tell(await reportTask(simulated, task)));
});
process.on("disconnect", () => process.exit());
tell({ kind: "ready", plans: simulated.plans().map(formatPlan) });
