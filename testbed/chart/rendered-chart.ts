import { parseAllDocuments } from "yaml";
import { runTool } from "../run-tool.ts";

/** Which chart is looked at, and as what release. */
export interface ChartRelease {
  /** Folder of the chart. */
  readonly chart: string;
  readonly release: string;
  readonly namespace: string;
  /** As `--set` takes them: `replicas=2`. */
  readonly set?: readonly string[];
}

/** One object of a rendered chart. */
export interface Manifest {
  /** As the template wrote it. */
  readonly text: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

const HELP = "Run npm run tools: helm comes with it.";

/** Lints a chart with helm, warnings included. Rejects with what helm said. */
export async function lintChart(helm: string, release: ChartRelease, signal?: AbortSignal): Promise<void> {
  const args = ["lint", release.chart, "--strict", "--namespace", release.namespace, ...setters(release)];
  await runTool(helm, args, { whenMissing: HELP, signal });
}

/** All objects of a chart, CRDs first, hooks and tests included. Rejects with what helm said when it cannot be rendered. */
export async function renderChart(helm: string, release: ChartRelease, signal?: AbortSignal): Promise<Manifest[]> {
  const options = ["--namespace", release.namespace, "--include-crds", ...setters(release)];
  const text = await runTool(helm, ["template", release.release, release.chart, ...options], {
    whenMissing: HELP,
    signal,
  });
  const manifests = parseAllDocuments(text).flatMap((document): Manifest[] => {
    const [error] = document.errors;
    if (error) throw new Error(`helm rendered YAML that does not parse: ${error.message}`);
    const value = document.toJS() as Partial<Manifest> & { readonly metadata?: Partial<Manifest> };
    // A template whose condition does not hold leaves a document with comments only.
    if (value === null) return [];
    const { apiVersion, kind, metadata: { name, namespace } = {} } = value;
    if (apiVersion === undefined || kind === undefined || name === undefined) {
      throw new Error(`helm rendered an object without apiVersion, kind or name: ${document.toString()}`);
    }
    return [{ text: document.toString(), apiVersion, kind, name, ...(namespace !== undefined && { namespace }) }];
  });
  const isCrd = ({ kind }: Manifest): number => (kind === "CustomResourceDefinition" ? 0 : 1);
  return manifests.sort((a, b) => isCrd(a) - isCrd(b));
}

function setters({ set = [] }: ChartRelease): string[] {
  return set.flatMap((each) => ["--set", each]);
}
