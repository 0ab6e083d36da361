import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { deepClone, isObject, setOwn } from "@gatewright/kube";
import type { Immutable, Json, JsonObject } from "@gatewright/kube";
import type { ResourceDefinition } from "@gatewright/kube/define";
import { seededRandom } from "@gatewright/ports";
import type { AnyKind, Managed } from "../../engine/aws-kind.ts";
import type { Given } from "../../engine/given.ts";
import { admissionOf } from "./admission.ts";
import type { Admission } from "./admission.ts";
import { settle } from "./kind-life.ts";
import type { Lived } from "./kind-life.ts";
import { givenOf } from "./kind-stage.ts";
import type { KindStage } from "./kind-stage.ts";
import { otherAwsFor } from "./other-aws.ts";

/** What the law needs to know of a kind. */
export interface RoundTrip {
  readonly kind: AnyKind;
  readonly definition: ResourceDefinition;
  readonly open: () => Promise<KindStage>;
  /** The least spec, of a resource of its own for each number. `providerRef` is filled in. */
  readonly base: (number: number) => JsonObject;
  /**
   * For every field that can change in place: pieces of specs, merged into the base, that want something else of it each. At least
   * three, but for booleans. A piece brings along what its value needs in other fields. `(name)` in it stands for the resource's name.
   */
  readonly samples: Readonly<Record<string, readonly JsonObject[]>>;
  /** Fields that AWS knows no third value of. */
  readonly twoValued?: readonly string[];
  /** Fields that the law leaves out, each with the reason. */
  readonly except?: Readonly<Record<string, string>>;
  /** Makes what samples point to, and gives what references lead to. */
  readonly prepare?: (stage: KindStage) => Promise<Readonly<Record<string, string>> | void>;
  /** All of a resource's state that matters, read by other means than the kind's own. Ids of the resource itself are masked by the law. */
  readonly look: (stage: KindStage, id: string) => Promise<unknown>;
  /** Leftovers that AWS itself keeps of a path, given a state: what both ways count as. Default: nothing. */
  readonly normal?: (state: unknown) => unknown;
  /** Random walks through specs of many fields at once. Default: 5, of five specs each. */
  readonly walks?: number;
}

interface Ground {
  readonly law: RoundTrip;
  readonly stage: KindStage;
  readonly given: Given;
  readonly admission: Admission;
  /** States of resources that were made from the start with a piece. */
  readonly made: Map<string, Promise<unknown>>;
  next(): number;
}

/**
 * Registers the law of fields: whatever a field was before, a resource ends as one that was made with the final spec from the
 * start; at rest nothing is written; what leaves the spec is taken back.
 */
export function fieldsRoundTrip(law: RoundTrip): void {
  const { kind, samples, except = {}, twoValued = [] } = law;
  const other = otherAwsFor(kind.resource.kind);
  /** Registers a test; of what another AWS is known not to do, that it still does not. */
  const lawful = (path: string, name: string, hold: () => Promise<void>): void => {
    const gap = other.gaps[path];
    if (gap === undefined) test(name, hold);
    else test(`${path} does not hold: ${gap}`, () => assert.rejects(hold()));
  };
  suite(`fields of ${kind.resource.kind}`, () => {
    let ground: Ground | undefined;
    let count = 0;
    before(async () => {
      const stage = await (other.open ?? law.open)();
      const prepared = await Promise.resolve(law.prepare?.(stage)).catch(async (error: unknown) => {
        await stage[Symbol.asyncDispose]();
        throw error;
      });
      const given = givenOf(prepared ?? {});
      ground = { law, stage, given, admission: admissionOf(law.definition), made: new Map(), next: () => ++count };
    });
    after(async () => ground?.stage[Symbol.asyncDispose]());
    const running = (): Ground => ground ?? assert.fail("the stage did not open");

    test("every field has samples, or a reason why not", () => {
      const changing = kind.fields.filter(({ change }) => change === "in-place").map(({ path }) => path);
      const covered = [...Object.keys(samples), ...Object.keys(except)];
      assert.deepEqual(
        changing.filter((path) => !covered.includes(path)),
        [],
        "without samples",
      );
      const known = new Set(kind.fields.map(({ path }) => path));
      assert.deepEqual(
        covered.filter((path) => !known.has(path)),
        [],
        "unknown",
      );
      assert.equal(known.size, kind.fields.length, "paths are unique");
    });

    for (const [path, pieces] of Object.entries(samples)) {
      lawful(path, `${path}: each value, off and on again, and back`, async () => {
        const here = running();
        const wants = pieces.map((piece) => JSON.stringify(wantOf(here, path, piece)));
        const least = twoValued.includes(path) || wants.every((want) => want === "true" || want === "false") ? 2 : 3;
        assert.ok(new Set(wants).size >= least, `too few values: ${wants.join(", ")}`);
        // From one value straight to the next, both ways, and between being off and on.
        await walk(here, [{}, ...pieces, {}, ...pieces.toReversed(), {}, pieces.at(-1) ?? {}]);
      });
    }

    lawful("*", "many fields at once, any way round", async () => {
      const here = running();
      const random = seededRandom(7);
      const below = (limit: number): number => (random.bytes(1)[0] ?? 0) % limit;
      for (let walks = law.walks ?? 5; walks > 0; walks--) {
        await walk(
          here,
          Array.from({ length: 5 }, () => randomPiece(here, below)),
        );
      }
    });
  });
}

/** Goes from spec to spec with one resource, and looks after each step whether it is as one that was made so. */
async function walk(here: Ground, pieces: readonly JsonObject[]): Promise<void> {
  const number = here.next();
  let lived: Lived | undefined;
  for (const piece of pieces) {
    const wanted = objectOf(here, number, piece, lived?.object);
    if (wanted === undefined) continue;
    lived = await settle(here.stage, here.law.kind, wanted, here.given);
    const again = await settle(here.stage, here.law.kind, lived.object, here.given);
    assert.equal(again.writes, 0, "at rest nothing is written");
    assert.deepEqual(await state(here, lived.id), await direct(here, piece), `after ${JSON.stringify(piece)}`);
  }
}

/** The state of a resource that is made with this spec from the start. */
async function direct(here: Ground, piece: JsonObject): Promise<unknown> {
  const text = JSON.stringify(piece);
  const known = here.made.get(text) ?? made(here, piece);
  here.made.set(text, known);
  return known;
}

async function made(here: Ground, piece: JsonObject): Promise<unknown> {
  const object = objectOf(here, here.next(), piece);
  assert.ok(object, `refused: ${JSON.stringify(piece)}`);
  const { id } = await settle(here.stage, here.law.kind, object, here.given);
  return state(here, id);
}

async function state({ law, stage }: Ground, id: string): Promise<unknown> {
  const seen = await law.look(stage, id);
  const masked: unknown = JSON.parse(
    JSON.stringify(seen)
      .replaceAll(id, "(id)")
      .replaceAll(/uid-\d+/g, "(uid)"),
  );
  const { normal } = otherAwsFor(law.kind.resource.kind);
  return normal(law.normal === undefined ? masked : law.normal(masked));
}

/** The object as it would be stored; undefined where a change to it is refused, which a walk goes around. */
function objectOf(
  { law, admission }: Ground,
  number: number,
  piece: JsonObject,
  old?: Immutable<Managed>,
): Immutable<Managed> | undefined {
  const { kind, group, version } = law.kind.resource;
  const base = { providerRef: { name: "aws" }, deletionPolicy: "Delete", ...law.base(number) };
  const name = law.kind.nameOf(base) ?? "";
  const object = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: `sample-${number}`, namespace: "default", uid: `uid-${number}` },
    spec: merged(base, JSON.parse(JSON.stringify(piece).replaceAll("(name)", name)) as JsonObject),
  };
  const judged = admission.judge<object>(object);
  if ("refused" in judged) throw new Error(`${judged.refused}: ${JSON.stringify(piece)}`);
  if (old === undefined) return judged.admitted as Immutable<Managed>;
  const changed = admission.judge<object>({ ...object, status: old.status }, old);
  return "refused" in changed ? undefined : (changed.admitted as Immutable<Managed>);
}

function wantOf(here: Ground, path: string, piece: JsonObject): Json | undefined {
  const object = objectOf(here, 0, piece);
  const field = here.law.kind.fields.find((each) => each.path === path);
  return object && field?.want(object.spec, here.given);
}

/** Pieces of about half of the fields, one each, as far as they go together. */
function randomPiece(here: Ground, below: (limit: number) => number): JsonObject {
  let piece: JsonObject = {};
  const { gaps } = otherAwsFor(here.law.kind.resource.kind);
  for (const [path, pieces] of Object.entries(here.law.samples)) {
    if (Object.hasOwn(gaps, path)) continue;
    const chosen = pieces[below(pieces.length * 2)];
    if (chosen === undefined) continue;
    const more = merged(piece, chosen);
    try {
      objectOf(here, 0, more);
      piece = more;
    } catch {
      // Admission refuses the two together: the walk goes without this one.
    }
  }
  return piece;
}

/** A null in a piece takes away what the base has. */
function merged(base: JsonObject, piece: JsonObject): JsonObject {
  const result = deepClone(base);
  for (const [key, value] of Object.entries(piece)) {
    if (value === null) {
      delete result[key];
      continue;
    }
    const below = Object.hasOwn(result, key) ? result[key] : undefined;
    setOwn(result, key, isObject(below) && isObject(value) ? merged(below, value) : deepClone(value));
  }
  return result;
}
