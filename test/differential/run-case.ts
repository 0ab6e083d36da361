import { setTimeout as sleep } from "node:timers/promises";
import type { Case, Step } from "./case.ts";
import type { Answer, Question } from "./exchange.ts";
import { collectGenerated, normalise, normaliseText } from "./normalise.ts";
import type { Marks } from "./normalise.ts";
import type { World } from "./world.ts";

/** What one step gave, ready to be compared. Nothing for steps that only prepare. */
export interface Observation {
  readonly status: number;
  readonly headers: unknown;
  readonly body: unknown;
  /** What webhooks were asked. */
  readonly asked: unknown;
}

const UNTIL_MS = 30_000;
const EVENTS_MS = 8_000;
/** Saved values of this length are tokens, which differ in every run. */
const SECRET_LENGTH = 40;

/** Runs a case on one server in a namespace of its own. */
export async function runCase(world: World, { steps }: Case, namespace: string): Promise<(Observation | undefined)[]> {
  const variables = new Map([
    ["ns", namespace],
    ["group", `${namespace}.example.com`],
    ["webhook", `${world.webhook.url}/${namespace}`],
    ["ca", world.webhook.caBundle],
  ]);
  const marks: Marks = {
    texts: new Map([
      [world.webhook.caBundle, "<ca>"],
      [world.ca, "<root ca>"],
      [world.webhook.url, "<webhook>"],
      [world.webhook.url.replace("https://", ""), "<webhook>"],
      ...world.addresses.map((address) => [address, "<server>"] as const),
    ]),
    uids: new Map(),
    generated: new Set(),
  };
  const usesNamespace = steps.some((step) => JSON.stringify(step).includes("/namespaces/{{ns}}/"));
  if (usesNamespace) await prepareNamespace(world, namespace);
  const pending: (Observation | undefined | (() => Promise<Answer>))[] = [];
  for (const step of steps) {
    const question = questionOf(step, world, variables);
    collectGenerated(step.body, marks.generated);
    if (step.events !== undefined) {
      pending.push(await world.exchange.watch(question, step.events, EVENTS_MS));
      continue;
    }
    const answer = await askUntil(world, question, step);
    const asked = world.webhook.take(namespace);
    const body = parsed(answer.text);
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = String(valueAt(body, path));
      variables.set(name, value);
      if (value.length >= SECRET_LENGTH) marks.texts.set(value, `<${name}>`);
    }
    const seen = observe(answer, step.until ? [] : asked, marks);
    pending.push(step.quiet ? undefined : seen);
  }
  const observations: (Observation | undefined)[] = [];
  for (const each of pending) {
    observations.push(typeof each === "function" ? observe(await each(), [], marks) : each);
  }
  return observations;
}

/** Waits for what every namespace gets, so that lists are the same and pods can be created. */
async function prepareNamespace(world: World, namespace: string): Promise<void> {
  const ask = (step: Step): Promise<Answer> =>
    askUntil(world, questionOf(step, world, new Map([["ns", namespace]])), step);
  const made = await ask({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "{{ns}}" } } });
  if (made.status !== 201) throw new Error(`the namespace of a case was refused: ${made.text}`);
  for (const path of ["serviceaccounts/default", "configmaps/kube-root-ca.crt"]) {
    await ask({ method: "GET", path: `/api/v1/namespaces/{{ns}}/${path}`, until: { status: 200 } });
  }
}

async function askUntil(world: World, question: Question, { until }: Step): Promise<Answer> {
  const deadline = performance.now() + UNTIL_MS;
  for (;;) {
    const answer = await world.exchange.ask(question);
    if (!until || performance.now() > deadline || holds(answer, until)) return answer;
    await sleep(50);
  }
}

function holds(answer: Answer, until: NonNullable<Step["until"]>): boolean {
  if (until.status !== undefined && answer.status !== until.status) return false;
  if (until.at === undefined) return true;
  const value = valueAt(parsed(answer.text), until.at);
  return "is" in until ? JSON.stringify(value) === JSON.stringify(until.is) : value !== undefined;
}

function questionOf(step: Step, world: World, variables: ReadonlyMap<string, string>): Question {
  const fill = (text: string): string =>
    text.replace(/\{\{([\w-]+)\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  const { by = "admin", body } = step;
  const headers: Record<string, string> = {
    "user-agent": "differential/1",
    ...(by !== "nobody" && { authorization: `Bearer ${world.tokens[by]}` }),
    ...(step.as !== undefined && { "impersonate-user": fill(step.as) }),
    ...(body !== undefined && { "content-type": step.type ?? "application/json" }),
    ...(step.accept !== undefined && { accept: step.accept }),
    ...step.headers,
  };
  return {
    method: step.method,
    path: fill(step.path).replaceAll(" ", "%20"),
    headers,
    ...(body !== undefined && { body: fill(typeof body === "string" ? body : JSON.stringify(body)) }),
  };
}

function observe({ status, headers, text }: Answer, asked: unknown, marks: Marks): Observation {
  const body = parsed(text);
  return {
    status,
    headers: normalise(headers, marks),
    body: typeof body === "string" ? normaliseText(body, marks).split("\n") : normalise(body, marks),
    asked: normalise(asked, marks),
  };
}

/** JSON as a value, the lines of a watch as an array of values, anything else as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split("\n").filter((line) => line !== "");
    if (!lines.every((line) => line.startsWith("{"))) return text;
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      return text;
    }
  }
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (at, key) => (typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined),
      value,
    );
}
