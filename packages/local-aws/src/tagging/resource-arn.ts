/** What an ARN says of a resource, as far as filters ask for it. */
export interface ResourceArn {
  readonly service: string;
  /** Empty for global services and for buckets. */
  readonly account: string;
  readonly type: string;
}

/** Services whose ARNs do not say the type of what they name: it is always the same. */
const ONLY_TYPE: Readonly<Record<string, string>> = { sqs: "queue", s3: "bucket", sns: "topic" };

/** Reads an ARN; undefined when it is none. */
export function readResourceArn(arn: string): ResourceArn | undefined {
  const [head, , service, , account, ...rest] = arn.split(":");
  const resource = rest.join(":");
  if (head !== "arn" || service === undefined || service === "" || account === undefined || resource === "")
    return undefined;
  const only = Object.hasOwn(ONLY_TYPE, service) ? ONLY_TYPE[service] : undefined;
  return { service, account, type: only ?? resource.split(/[:/]/, 1)[0] ?? "" };
}

/** Whether a resource is of a type such as `acm:certificate`, or of any type of a service, such as `acm`. */
export function isOfType(arn: string, filter: string): boolean {
  const read = readResourceArn(arn);
  const [service, type] = filter.split(":", 2);
  return read?.service === service && (type === undefined || type === read?.type);
}
