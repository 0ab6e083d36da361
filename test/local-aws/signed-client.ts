import { codecOf, loadModel, signRequest } from "@gatewright/aws-wire";
import type { AwsCredentials, ServiceName } from "@gatewright/aws-wire";
import type { Operations as Acm } from "@gatewright/aws-wire/types/acm";
import type { Operations as Elb } from "@gatewright/aws-wire/types/elbv2";
import type { Operations as Route53 } from "@gatewright/aws-wire/types/route53";
import type { Operations as S3 } from "@gatewright/aws-wire/types/s3";
import type { Operations as Sqs } from "@gatewright/aws-wire/types/sqs";

/** The operations of the services that tests of whole clouds use. */
interface Tables {
  readonly acm: Acm;
  readonly elbv2: Elb;
  readonly route53: Route53;
  readonly s3: S3;
  readonly sqs: Sqs;
}

type Side<Operation, Which extends "input" | "output"> = Operation extends Record<Which, infer T> ? T : never;

/** Makes a call that must succeed, over HTTP, signed: nothing but what any client could send. */
export type Call = <Service extends keyof Tables, Name extends keyof Tables[Service] & string>(
  service: Service,
  operation: Name,
  input: Side<Tables[Service][Name], "input">,
) => Promise<Side<Tables[Service][Name], "output">>;

const CREDENTIALS: AwsCredentials = { accessKeyId: "test", secretAccessKey: "test" };

/** A client of the cloud at `url`. A refusal is an error with its code. */
export function signedClient(url: string, region = "eu-west-1"): Call {
  return async (service, operation, input) => {
    const model = await loadModel(service satisfies ServiceName);
    const codec = codecOf(model);
    const request = codec.encodeRequest(model, operation, input as object);
    const headers = signRequest({
      ...request,
      headers: { ...request.headers, host: new URL(url).host },
      credentials: CREDENTIALS,
      region,
      service: model.signingName,
      now: Date.now(),
    });
    const { method, path, body } = request;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body.length > 0 && { body: Buffer.from(body) }),
    });
    const response = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: new Uint8Array(await answer.arrayBuffer()),
    };
    if (!answer.ok) {
      const { code, message } = codec.decodeError(model, response);
      throw new Error(`${service} ${operation}: ${answer.status} ${code}: ${message}`);
    }
    return codec.decodeResponse(model, operation, response) as Side<never, "output">;
  };
}
