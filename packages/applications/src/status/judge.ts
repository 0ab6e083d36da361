import type { Observation } from "../observation.ts";
import { clusterUrl } from "../children/service.ts";
import { judgeDeployment } from "./deployment-state.ts";
import { exposedUrl, judgeExposure } from "./exposure.ts";
import { judgeJob } from "./job-state.ts";
import type { FullVerdict, Trouble } from "./verdict.ts";

/** How an Application is, from what really is. Pure. `obstacle`: what kept an effect from being done. */
export function judge(seen: Observation, obstacle?: Trouble): FullVerdict {
  const { app, deployment, job, pods } = seen;
  const verdict =
    app.spec.runToCompletion === true
      ? judgeJob(app, job, pods, obstacle)
      : judgeDeployment(deployment, pods, obstacle);
  return { ...verdict, exposed: judgeExposure(seen), url: exposedUrl(seen) ?? clusterUrl(app) };
}
