import { AwsCallError } from "@gatewright/aws";
import { wishOf } from "./compare.ts";
import { NO_ANSWERS } from "./answers.ts";
import type { Answers } from "./answers.ts";
import { defaultTagsVersion, wantedTags } from "./compare-tags.ts";
import type { Effect } from "./decision.ts";
import { classOf } from "./error-class.ts";
import type { Given } from "./given.ts";
import { intervalOf } from "./intervals.ts";
import type { Observation } from "./observation.ts";
import { UID_TAG } from "./owner-tags.ts";
import { searchByTags } from "./search.ts";
import type { Ground } from "./session.ts";
import type { ManagedWorld } from "./world.ts";
import type { ReconcileContext } from "@gatewright/runtime";
import type { Managed } from "./aws-kind.ts";

type Context = Pick<ReconcileContext<Managed>, "client" | "cached" | "signal">;

const MAKES = /^(?:Create|Restore|Run)[A-Z]/;

const NOTHING_GIVEN: Given = { value: () => undefined, version: () => undefined };

/** Does one thing and says what came of it. What AWS refuses is an answer too; what is not AWS's rejects. */
export async function perform(
  world: ManagedWorld,
  context: Context,
  seen: Observation,
  effect: Effect,
): Promise<Answers> {
  const { answers, session } = seen;
  if ("missing" in session) throw new TypeError("without a session nothing is asked of AWS");
  const ground: Ground = { ...session.session, signal: context.signal };
  try {
    return { ...answers, ...(await answerTo(world, context, seen, effect, ground)) };
  } catch (error) {
    context.signal.throwIfAborted();
    return { ...answers, failed: classOf(error) };
  }
}

async function answerTo(
  world: ManagedWorld,
  context: Context,
  seen: Observation,
  effect: Effect,
  ground: Ground,
): Promise<Answers> {
  const { kind, book, cluster } = world;
  const { object } = seen;
  const given = "given" in seen.given ? seen.given.given : NOTHING_GIVEN;
  switch (effect.type) {
    case "read": {
      const fields = object.status?.resource?.fields ?? [];
      const declared = new Set([...seen.declared, ...fields].filter((path) => !path.startsWith("tags.")));
      const intervalMs = intervalOf(kind, object);
      await world.reads.read({ object, session: ground, id: effect.id, declared, intervalMs }, context.signal);
      return NO_ANSWERS;
    }
    case "search":
      return { found: await search(world, ground, seen, effect.by) };
    case "create": {
      const { wanted } = wishOf(kind, object, given);
      const tags = wantedTags(cluster, object, ground);
      const { token } = effect;
      try {
        const id = await noted(world, seen, () => kind.create(ground, { object, given, wanted, tags, token }));
        book.created(object);
        return { created: id, changed: true };
      } catch (error) {
        if (seen.untried && madeNothing(error)) book.intend(object, token);
        throw error;
      }
    }
    case "change": {
      const { wanted, versions } = wishOf(kind, object, given);
      const fields = new Map(effect.differences.map(({ path, want }) => [path, want]));
      const change = { object, given, fields, wanted };
      const obstacle = await noted(world, seen, () => kind.change(ground, readOf(world, seen), change));
      if (obstacle === "partly") {
        book.begun(object, fields);
        return { changed: true, partly: true };
      }
      if (obstacle !== undefined) return { obstacle };
      book.changed(object, fields);
      const written = Object.entries(versions).filter(([path]) => fields.has(path));
      return { changed: true, partly: false, versions: Object.fromEntries(written) };
    }
    case "tag": {
      const { change, why } = effect;
      await noted(world, seen, () => kind.tag(ground, readOf(world, seen), change));
      book.tagged(object, change);
      if (why === "Orphan") return { untagged: true };
      return { changed: true, versions: defaultTagsVersion(object, ground) };
    }
    case "remove": {
      const obstacle = await noted(world, seen, () => kind.remove(ground, readOf(world, seen), object));
      if (obstacle !== undefined) return { obstacle };
      book.removed(object);
      return { removed: true };
    }
    case "retire":
      return {
        retired: (await noted(world, seen, async () => kind.retire?.(ground, readOf(world, seen), object))) ?? true,
      };
    case "writeOutputs":
      return { outputs: await world.outputs.write(context, object, kind.outputsOf(readOf(world, seen), ground)) };
  }
}

/** Whether it is known that nothing was made: AWS refused the very call that makes it, not one that follows. */
function madeNothing(error: unknown): boolean {
  return error instanceof AwsCallError && error.didNothing && MAKES.test(error.operation);
}

/** What was read before a write, or while it went on, says nothing of how it is afterwards: also when the write failed. */
async function noted<T>({ book }: ManagedWorld, { object }: Observation, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } finally {
    book.wrote(object);
  }
}

function readOf({ book }: ManagedWorld, { object }: Observation): unknown {
  const { reading } = book.page(object);
  if (reading?.seen === undefined) throw new TypeError("what is changed was read before");
  return reading.seen.value;
}

async function search(
  { kind }: ManagedWorld,
  ground: Ground,
  { object }: Observation,
  by: "tags" | "uid",
): Promise<readonly string[]> {
  if (by === "uid") return (await kind.findTagged?.(ground, UID_TAG, object.metadata.uid ?? "")) ?? [];
  return searchByTags(kind, ground, object.spec.management?.adopt?.byTags ?? {});
}
