import type { Immutable, ObjectRef } from "@gatewright/kube";
import type { ApiObject } from "@gatewright/kube";
import type { Application } from "@gatewright/resources";

/** On everything that is made for an Application, its pods too: the Application's name. */
export const APPLICATION_LABEL = "cloudnative.elide.dev/application";

/** Name and namespace of an Application, which are those of most of its children. */
export function homeOf({ metadata: { namespace = "", name = "" } }: Immutable<Application>): Required<ObjectRef> {
  return { namespace, name };
}

/** What selects the pods. Selectors of Deployments cannot be changed, so this never grows. */
export function selectorOf(app: Immutable<Application>): Readonly<Record<string, string>> {
  return { [APPLICATION_LABEL]: homeOf(app).name };
}

/** Labels of children and pods. */
export function labelsOf(app: Immutable<Application>): Readonly<Record<string, string>> {
  const { name } = homeOf(app);
  return { ...selectorOf(app), "app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "gatewright" };
}

/** The Application that an object says it is of; none for others. */
export function applicationOf({ metadata: { namespace, labels } }: Immutable<ApiObject>): readonly ObjectRef[] {
  const name = labels?.[APPLICATION_LABEL];
  return name === undefined || namespace === undefined ? [] : [{ namespace, name }];
}
