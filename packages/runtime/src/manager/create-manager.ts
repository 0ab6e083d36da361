import type { ApiObject } from "@gatewright/kube";
import { createController } from "../controller/controller.ts";
import type { Controller } from "../controller/controller.ts";
import type { ControllerDefinition } from "../controller/definition.ts";
import { noTracer } from "@gatewright/telemetry";
import { assemble } from "./assemble.ts";
import { answerOf, controllerCheck, informerChecks, leaseCheck } from "./health-checks.ts";
import { Lifecycle } from "./lifecycle.ts";
import type { HealthCheck, Manager, ManagerOptions } from "./manager.ts";
import { supervised } from "./supervised.ts";

/** Makes a manager. Nothing is asked of the server, and no port is opened, before `run`. */
export function createManager(options: ManagerOptions): Manager {
  const parts = assemble(options);
  const { clock, log, cache, client, ungated, gate, elector } = parts;
  const { metrics, tracer = noTracer } = options;
  const lifecycle = new Lifecycle(parts, options);
  const controllers = new Map<string, Controller>();
  const mistakes: unknown[] = [];
  const checks: HealthCheck[] = [
    { name: "ping", for: "live", problem: () => undefined },
    { name: "stopping", for: "ready", problem: () => (lifecycle.stopping ? "the process is stopping" : undefined) },
  ];
  if (elector !== undefined) checks.push(leaseCheck(elector, clock));

  const make = <T extends ApiObject>(definition: ControllerDefinition<T>): Controller => {
    checkDefinition(definition);
    if (controllers.has(definition.name)) throw new TypeError(`two controllers are named ${definition.name}`);
    return createController(definition, { ...parts, tracer, metrics });
  };

  return {
    client,
    ungated,
    gate,
    cache,
    add(definition) {
      let controller: Controller;
      try {
        controller = make(definition);
      } catch (error) {
        mistakes.push(error);
        return;
      }
      controllers.set(controller.name, controller);
      checks.push(controllerCheck(controller));
      this.addRunnable({ name: `controller/${controller.name}`, when: "leading", run: (term) => controller.run(term) });
    },
    addRunnable(runnable) {
      const { check, run } = supervised(runnable, { clock, log });
      checks.push(check);
      lifecycle.add({ name: runnable.name, when: runnable.when, run });
    },
    addCheck: (check) => void checks.push(check),
    async run(signal) {
      if (mistakes.length > 0) throw mistakes[0];
      await lifecycle.run(signal);
    },
    health: (kind) => [...checks, ...informerChecks(cache)].filter((check) => check.for === kind).map(answerOf),
  };
}

function checkDefinition<T extends ApiObject>({ name, concurrency = 1 }: ControllerDefinition<T>): void {
  if (!/^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/.test(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} does not name a controller: use small letters, digits, dots and dashes`,
    );
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new TypeError(`controller ${name} cannot run ${concurrency} objects at once`);
  }
}
