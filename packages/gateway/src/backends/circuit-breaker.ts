/** When a circuit opens, for how long, and how many requests try whether it may close. */
export interface CircuitSettings {
  /** Failures in a row that open it. */
  readonly threshold: number;
  /** How long it stays open. */
  readonly openMs: number;
  /** Requests that are let through to try; as many successes close it, one failure opens it again. */
  readonly halfOpenRequests: number;
}

/** Where a circuit is. `era` counts its openings: what was asked in an earlier one says nothing about this one. */
export type Circuit =
  | { readonly at: "closed"; readonly era: number; readonly failures: number }
  | { readonly at: "open"; readonly era: number; readonly until: number }
  | { readonly at: "half-open"; readonly era: number; readonly asked: number; readonly succeeded: number };

/** What happens to a circuit. */
export type CircuitInput =
  /** A request wants to go. Let through unless the circuit is open afterwards, or half-open with `asked` unchanged. */
  | { readonly type: "ask"; readonly now: number }
  /** A request of that era is over. Without an era it was asked while the circuit was closed, whenever that was. */
  | { readonly type: "ended"; readonly ok: boolean; readonly now: number; readonly era: number | undefined }
  /** A request of that era was given up by its client: another may try in its place. */
  | { readonly type: "abandoned"; readonly era: number | undefined };

/** A circuit that nothing has happened to. */
export const CLOSED: Circuit = { at: "closed", era: 0, failures: 0 };

/**
 * What becomes of a circuit. Pure, and the very same object where nothing changes. Late answers to requests from before the circuit
 * opened neither close nor open it again.
 */
export function stepCircuit(circuit: Circuit, input: CircuitInput, settings: CircuitSettings): Circuit {
  switch (input.type) {
    case "ask":
      return asked(circuit, input.now, settings);
    case "ended":
      return ended(circuit, input, settings);
    case "abandoned":
      return circuit.at === "half-open" && input.era === circuit.era
        ? { ...circuit, asked: circuit.asked - 1 }
        : circuit;
  }
}

/** Whether a request that led from the one to the other may go. */
export function mayGo(before: Circuit, after: Circuit): boolean {
  return after.at === "closed" || (after.at === "half-open" && after !== before);
}

function asked(circuit: Circuit, now: number, { halfOpenRequests }: CircuitSettings): Circuit {
  switch (circuit.at) {
    case "closed":
      return circuit;
    case "open":
      return now < circuit.until ? circuit : { at: "half-open", era: circuit.era, asked: 1, succeeded: 0 };
    case "half-open":
      return circuit.asked < halfOpenRequests ? { ...circuit, asked: circuit.asked + 1 } : circuit;
  }
}

function ended(
  circuit: Circuit,
  { ok, now, era }: CircuitInput & { readonly type: "ended" },
  settings: CircuitSettings,
): Circuit {
  const { threshold, openMs, halfOpenRequests } = settings;
  if (circuit.at === "closed" && era === undefined) {
    if (ok) return circuit.failures === 0 ? circuit : { ...circuit, failures: 0 };
    return circuit.failures + 1 >= threshold
      ? { at: "open", era: circuit.era + 1, until: now + openMs }
      : { ...circuit, failures: circuit.failures + 1 };
  }
  if (circuit.at === "half-open" && era === circuit.era) {
    if (!ok) return { at: "open", era: circuit.era + 1, until: now + openMs };
    const succeeded = circuit.succeeded + 1;
    return succeeded >= halfOpenRequests ? { at: "closed", era: circuit.era, failures: 0 } : { ...circuit, succeeded };
  }
  return circuit;
}
