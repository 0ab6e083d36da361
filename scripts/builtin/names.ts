/** How a Go package is called in OpenAPI definition names and, shorter, in the table. */
interface PackageName {
  readonly openapi: string;
  readonly short: string;
}

const fixed: Readonly<Record<string, PackageName>> = {
  "k8s.io/apimachinery/pkg/apis/meta/v1": { openapi: "io.k8s.apimachinery.pkg.apis.meta.v1", short: "meta.v1" },
  "k8s.io/apimachinery/pkg/runtime": { openapi: "io.k8s.apimachinery.pkg.runtime", short: "runtime" },
  "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": {
    openapi: "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1",
    short: "apiextensions.v1",
  },
};

/** The names of a package, or undefined where its types are not in the API. */
export function packageName(path: string): PackageName | undefined {
  if (Object.hasOwn(fixed, path)) return fixed[path];
  if (!path.startsWith("k8s.io/api/")) return undefined;
  const short = path.slice("k8s.io/api/".length).replaceAll("/", ".");
  return { openapi: `io.k8s.api.${short}`, short };
}

/** The Go package and type of an OpenAPI definition name. */
export function goNameOf(definition: string): { path: string; name: string } | undefined {
  const dot = definition.lastIndexOf(".");
  const [prefix, name] = [definition.slice(0, dot), definition.slice(dot + 1)];
  for (const [path, names] of Object.entries(fixed)) if (names.openapi === prefix) return { path, name };
  if (!prefix.startsWith("io.k8s.api.")) return undefined;
  return { path: `k8s.io/api/${prefix.slice("io.k8s.api.".length).replaceAll(".", "/")}`, name };
}
