import { badRequest, quote } from "@gatewright/kube";
import type { Json } from "@gatewright/kube";
import { clientReader, overview, why } from "@gatewright/explain";
import type { Client } from "@gatewright/runtime";
import { jsonAnswer } from "@gatewright/runtime/serving";
import type { HttpAnswer, HttpQuestion } from "@gatewright/runtime/serving";
import { shownResource } from "../shown-kinds.ts";

/** Why an object is as it is: `kind` by its id, `namespace` where it has one, `name`. */
export async function answerWhy({ query, signal }: HttpQuestion, client: Client, now: number): Promise<HttpAnswer> {
  const id = query.get("kind") ?? "";
  const resource = shownResource(id);
  if (resource === undefined) throw badRequest(`there is no kind ${quote(id)} to ask about`);
  const name = query.get("name") ?? "";
  const namespace = query.get("namespace") ?? "";
  if (name === "" || (resource.namespaced && namespace === "")) throw badRequest("namespace or name is missing");
  const ref = resource.namespaced ? { namespace, name } : { name };
  const answer = await why(clientReader(client), { resource, ref }, { now, signal });
  return jsonAnswer(200, answer as unknown as Json);
}

/** How everything is, in `namespace` or in all. */
export async function answerOverview(
  { query, signal }: HttpQuestion,
  client: Client,
  now: number,
): Promise<HttpAnswer> {
  const namespace = query.get("namespace") || undefined;
  const told = await overview(clientReader(client), { now, signal, ...(namespace !== undefined && { namespace }) });
  return jsonAnswer(200, told as unknown as Json);
}
