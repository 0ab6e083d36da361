import { keptToken } from "../../browser/kept-token.ts";
import { send } from "../../browser/send.ts";
import type { StatusBody } from "../model/kube.ts";

/** A refusal, in the server's words. */
export class Refusal extends Error {
  readonly code: number;
  readonly status: StatusBody;

  constructor(code: number, status: StatusBody) {
    super(status.message ?? `The server answers ${code}.`);
    this.name = "Refusal";
    this.code = code;
    this.status = status;
  }
}

export interface AskOptions {
  readonly method?: string;
  /** Sent as JSON, or as it is with `type`. */
  readonly body?: unknown;
  readonly type?: string;
  readonly signal?: AbortSignal;
}

/** Asks the server as the user of the page. Throws {@link Refusal} for any answer but a good one. */
export async function request(
  path: string,
  { method = "GET", body, type, signal }: AskOptions = {},
): Promise<Response> {
  const token = keptToken.get();
  const headers: Record<string, string> = { accept: "application/json" };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = type ?? "application/json";
  const answer = await send(path, {
    method,
    headers,
    ...(body !== undefined && { body: type === undefined ? JSON.stringify(body) : String(body) }),
    ...(signal !== undefined && { signal }),
  });
  if (answer.ok) return answer;
  throw new Refusal(answer.status, await statusOf(answer));
}

/** The same, and its answer as JSON. */
export async function ask<T>(path: string, options?: AskOptions): Promise<T> {
  return (await (await request(path, options)).json()) as T;
}

async function statusOf(answer: Response): Promise<StatusBody> {
  try {
    return (await answer.json()) as StatusBody;
  } catch {
    // Somebody in between has answered, who does not speak like the API server.
    return {};
  }
}
