import { ManualClock, seededRandom } from "@gatewright/ports";
import { AwsError } from "../aws-error.ts";
import type { Service } from "../service.ts";
import { createMemoryState } from "../state/memory-state.ts";
import type { AwsWorld, Pace } from "../world.ts";

/** A world on virtual time that ends with the test. */
export function testWorld(pace: Partial<Pace> = {}): AwsWorld & { readonly clock: ManualClock } {
  return {
    clock: new ManualClock(),
    random: seededRandom(1),
    state: createMemoryState(),
    pace: { durations: 1, lag: true, ...pace },
  };
}

type Input<Operation> = Operation extends { readonly input: infer Given } ? Given : never;
type Output<Operation> = Operation extends { readonly output: infer Result } ? Result : never;

/** Calls operations as an account in a region does, past wire and signatures. */
export type ServiceCaller<Operations> = <Name extends keyof Operations & string>(
  name: Name,
  input: Input<Operations[Name]>,
) => Promise<Output<Operations[Name]>>;

export function serviceCaller<Operations>(
  service: Service,
  { account = "000000000000", region = "us-east-1" }: { readonly account?: string; readonly region?: string } = {},
): ServiceCaller<Operations> {
  return async (name, input) => {
    const operation = service.operations.get(name);
    if (operation === undefined) throw new Error(`${service.name} has no operation ${name}`);
    const output = await operation(input as object, {
      caller: { account, arn: `arn:aws:iam::${account}:root`, userId: account, accessKeyId: "AKIATEST" },
      account,
      region,
      requestId: "request",
      signal: new AbortController().signal,
    });
    return output as Output<Operations[typeof name]>;
  };
}

/** For `assert.rejects`: an `AwsError` with the code, and the status when one is given. */
export function refusal(code: string, status?: number): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof AwsError)) throw error;
    if (error.code !== code || (status !== undefined && error.status !== status)) {
      throw new Error(`expected ${code} ${status ?? ""}, not ${error.code} ${error.status}: ${error.message}`);
    }
    return true;
  };
}
