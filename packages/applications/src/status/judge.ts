import type { Observation } from "../observation.ts";
import { judgeDeployment } from "./deployment-state.ts";
import { judgeJob } from "./job-state.ts";
import type { Trouble, Verdict } from "./verdict.ts";

/** How an Application is, from what really is. Pure. `obstacle`: what kept an effect from being done. */
export function judge({ app, deployment, job, pods }: Observation, obstacle?: Trouble): Verdict {
  return app.spec.runToCompletion === true
    ? judgeJob(app, job, pods, obstacle)
    : judgeDeployment(deployment, pods, obstacle);
}
