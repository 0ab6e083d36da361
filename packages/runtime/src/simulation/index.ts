export { simulation } from "./simulate.ts";
export type { Simulation, Verdict } from "./simulate.ts";
export type {
  Actor,
  ActorWorld,
  GroupVersionObject,
  Law,
  Laws,
  Part,
  Scenario,
  Step,
  SystemLaw,
  Task,
} from "./scenario.ts";
export type {
  SimulatedSystem,
  SystemCall,
  SystemConditions,
  SystemDefinition,
  SystemPort,
  SystemPorts,
  SystemResource,
  Trouble,
} from "./systems/simulated-system.ts";
export type { Program, ProgramPorts, RunningProgram } from "./process/program.ts";
export { addProbed, probed } from "./process/probe.ts";
export type { Probe } from "./process/probe.ts";
export type { Violation } from "./oracles/index.ts";
export { CALL_FAULTS, FRAME_FAULTS, SYSTEM_FAULTS, SYSTEM_TIMED_FAULTS, TIMED_FAULTS } from "./faults/fault-kind.ts";
export type { FaultKind } from "./faults/fault-kind.ts";
export { formatPlan, parsePlan } from "./faults/fault-plan.ts";
export type { PlannedFault } from "./faults/fault-plan.ts";
export { virtualTime } from "./time/timeline.ts";
export type { Timeline } from "./time/timeline.ts";
