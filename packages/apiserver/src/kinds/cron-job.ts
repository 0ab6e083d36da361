import { invalid, notSupported, required } from "@gatewright/kube";
import type { FieldError, JsonObject, KubeObject } from "@gatewright/kube";
import { flag, number, setDefault, specOf, struct, structOf, structs, text } from "../resources/object-fields.ts";
import type { Resource } from "../resources/resource.ts";
import { builtIn, specChanged, statusSubresource } from "./built-in.ts";
import { choiceErrors } from "./choice-validation.ts";
import { age, columns, containerCells, since } from "./columns.ts";
import { cronScheduleError } from "./cron-schedule.ts";
import { jobSpecErrors } from "./job-spec-validation.ts";
import { jobTemplateDefaults } from "./job.ts";
import { labelSelectorCell } from "./label-selector.ts";
import { nonNegativeErrors } from "./number-validation.ts";
import { warnOfWorkload } from "./pod-warnings.ts";

const POLICIES = ["Allow", "Forbid", "Replace"];
/** What is left of a name of 63 characters when its Jobs append their time. */
const MAX_NAME = 52;

function defaults(object: KubeObject): void {
  const spec = specOf(object);
  setDefault(spec, "concurrencyPolicy", "Allow");
  setDefault(spec, "suspend", false);
  setDefault(spec, "successfulJobsHistoryLimit", 3);
  setDefault(spec, "failedJobsHistoryLimit", 1);
  jobTemplateDefaults(structOf(spec, "jobTemplate", "spec"));
}

function scheduleErrors(schedule: string, zoned: boolean, allowZone: boolean): FieldError[] {
  const path = "spec.schedule";
  if (schedule === "") return [required(path)];
  const why = cronScheduleError(schedule);
  const errors = why === undefined ? [] : [invalid(path, schedule, why)];
  if (!schedule.includes("TZ")) return errors;
  if (!allowZone)
    errors.push(invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
  else if (zoned) errors.push(invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"));
  return errors;
}

function isKnownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function zoneErrors(zone: unknown): FieldError[] {
  const path = "spec.timeZone";
  if (typeof zone !== "string") return [];
  if (zone === "") return [invalid(path, zone, "timeZone must be nil or non-empty string")];
  if (zone.toLowerCase() === "local") {
    return [
      invalid(path, zone, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones"),
    ];
  }
  return isKnownZone(zone) ? [] : [invalid(path, zone, `unknown time zone ${zone}`)];
}

function specErrors(object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const spec = specOf(object);
  const before = struct(old, "spec");
  const policy = text(spec, "concurrencyPolicy");
  const jobSpec = struct(spec, "jobTemplate", "spec") ?? {};
  const selector = struct(jobSpec, "selector");
  const path = "spec.jobTemplate.spec";
  return [
    ...scheduleErrors(text(spec, "schedule"), spec["timeZone"] !== undefined, text(before, "schedule").includes("TZ")),
    ...nonNegativeErrors(number(spec, "startingDeadlineSeconds"), "spec.startingDeadlineSeconds"),
    ...(before && before["timeZone"] === spec["timeZone"] ? [] : zoneErrors(spec["timeZone"])),
    ...choiceErrors(policy, POLICIES, "spec.concurrencyPolicy"),
    ...jobSpecErrors(jobSpec, path),
    ...(selector ? [invalid(`${path}.selector`, selector, "`selector` will be auto-generated")] : []),
    ...(flag(jobSpec, "manualSelector") ? [notSupported(`${path}.manualSelector`, true, ["nil", "false"])] : []),
    ...nonNegativeErrors(number(spec, "successfulJobsHistoryLimit"), "spec.successfulJobsHistoryLimit"),
    ...nonNegativeErrors(number(spec, "failedJobsHistoryLimit"), "spec.failedJobsHistoryLimit"),
  ];
}

export function cronJobs(): Resource {
  return builtIn({
    group: "batch",
    kind: "CronJob",
    resource: "cronjobs",
    namespaced: true,
    shortNames: ["cj"],
    categories: ["all"],
    versions: [
      {
        version: "v1",
        defaults,
        columns: columns(
          [
            "Name",
            "Schedule",
            "Timezone",
            "Suspend:boolean",
            "Active:integer",
            "Last Schedule",
            "Age",
            "Containers@1",
            "Images@1",
            "Selector@1",
          ],
          (object, now) => {
            const [spec, status] = [struct(object, "spec"), struct(object, "status")];
            const jobSpec = struct(spec, "jobTemplate", "spec");
            const last = status?.["lastScheduleTime"];
            return [
              object.metadata.name ?? "",
              text(spec, "schedule"),
              text(spec, "timeZone") || "<none>",
              suspendCell(spec),
              structs(status, "active").length,
              last ? since(last, now) : "<none>",
              age(object, now),
              ...containerCells(struct(jobSpec, "template", "spec")),
              labelSelectorCell(struct(jobSpec, "selector")),
            ];
          },
        ),
        subresources: { status: statusSubresource() },
      },
    ],
    strategy: {
      newStatus: () => ({}),
      raisesGeneration: specChanged,
      warn: warnOfWorkload(["spec", "jobTemplate", "spec", "template"], true),
      validateCreate(object) {
        const name = object.metadata.name ?? "";
        const errors = specErrors(object, undefined);
        if (name.length > MAX_NAME)
          errors.push(invalid("metadata.name", name, `must be no more than ${MAX_NAME} characters`));
        return errors;
      },
      validateUpdate: specErrors,
    },
  });
}

/** Only a bookmark shows a CronJob without defaults. */
function suspendCell(spec: JsonObject | undefined): string {
  if (spec?.["suspend"] === undefined) return "<unset>";
  return flag(spec, "suspend") ? "True" : "False";
}
