import assert from "node:assert/strict";
import type { ApiObject, Resource } from "@gatewright/kube";
import { apiextensions } from "@gatewright/kube/api";
import { crdOf } from "@gatewright/kube/define/manifests";
import { Application } from "@gatewright/resources";
import type { Client } from "@gatewright/runtime";

type Definition = apiextensions.CustomResourceDefinition;

/** Under a group of its own: the definitions that others use stay as they are. */
const GROUP = "upgrade.example.com";
const NAME = `${Application.plural}.${GROUP}`;

interface App extends ApiObject {
  readonly spec: { readonly image: string; readonly replicas?: number; readonly env?: readonly object[] };
}

const Apps: Resource<App> = { ...(Application as unknown as Resource<App>), group: GROUP };
const ENV = [{ name: "A", value: "b" }];

/** The definition of Applications as it is now, and as it was before `spec.env` was added. */
function definitions(): { readonly now: Definition; readonly before: Definition } {
  const { metadata: _, spec, ...rest } = crdOf(Application) as Definition;
  const now = { ...rest, metadata: { name: NAME }, spec: { ...spec, group: GROUP } };
  const before = structuredClone(now);
  const [version] = before.spec.versions;
  const { properties = {} } = version?.schema?.openAPIV3Schema ?? {};
  const fields = properties["spec"] as { properties?: Record<string, unknown> } | undefined;
  assert.ok(fields?.properties?.["env"] !== undefined);
  delete fields.properties["env"];
  return { now, before };
}

/** What happens to objects when definitions are brought up to date, rolled back, and brought up to date again. */
export async function definitionStory(
  client: Client,
  until: (what: string, look: () => Promise<boolean>) => Promise<unknown>,
): Promise<void> {
  const { now, before } = definitions();
  const crds = client.for(apiextensions.CustomResourceDefinition);
  const apps = client.for(Apps);
  const ref = { namespace: "default", name: "kept" };
  const knowsEnv = async (): Promise<boolean> => {
    try {
      const tried = await client
        .with({ dryRun: true })
        .for(Apps)
        .create({
          metadata: { namespace: "default", generateName: "try-" },
          spec: { image: "nginx", env: ENV },
        });
      return tried.spec.env !== undefined;
    } catch {
      return false; // the kind is not served yet
    }
  };
  const serve = async (definition: Definition, env: boolean): Promise<void> => {
    await crds.apply(definition as never, { force: true });
    await until(`${env ? "the newer" : "the older"} definition is served`, async () => {
      const served = await apps.list({ namespace: "default" }).then(
        () => true,
        () => false,
      );
      return served && (await knowsEnv()) === env;
    });
  };
  try {
    await serve(before, false);
    const { metadata } = await apps.create({ metadata: ref, spec: { image: "nginx", replicas: 2 } });

    await serve(now, true);
    const kept = await apps.get(ref);
    assert.deepEqual([kept.metadata.uid, kept.spec.image, kept.spec.replicas], [metadata.uid, "nginx", 2]);
    await apps.patch(ref, { merge: { spec: { env: ENV } } });

    await serve(before, false);
    const older = await apps.get(ref);
    assert.deepEqual([older.metadata.uid, older.spec.replicas, older.spec.env], [metadata.uid, 2, undefined]);

    await serve(now, true);
    assert.deepEqual((await apps.get(ref)).spec.env, ENV, "what nobody wrote over is there again");

    await serve(before, false);
    await apps.patch(ref, { merge: { spec: { replicas: 3 } } });
    await serve(now, true);
    const last = await apps.get(ref);
    assert.deepEqual([last.spec.replicas, last.spec.env], [3, undefined], "a write by the older one leaves it out");
  } finally {
    await crds.delete({ name: NAME });
  }
}
