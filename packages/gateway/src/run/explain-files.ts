import type { Clock, Random } from "@gatewright/ports";
import { fileSource } from "../configuration/files/file-source.ts";
import type { FileProblem } from "../configuration/files/file-configuration.ts";
import type { Finding } from "../configuration/objects.ts";
import { Gateway } from "../gateway.ts";
import { askedRequest } from "../observability/asked-request.ts";
import type { Explanation } from "../table/explain.ts";

/** What a gateway with these files would do with a request. */
export interface FilesExplained {
  readonly explanation: Explanation;
  /** What is wrong with the files, and with the routes in them. */
  readonly problems: readonly FileProblem[];
  readonly findings: readonly Finding[];
}

/**
 * Explains a request with the routes of files, without a gateway that runs: nothing is listened on and nobody is asked. `asked` as the
 * admin endpoint has it: `host`, `path`, `method`, `header`. A text says what is wrong with it. Throws `SettingsError`.
 */
export async function explainFiles(
  file: string,
  asked: URLSearchParams,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  signal: AbortSignal,
): Promise<FilesExplained | string> {
  const question = askedRequest(asked);
  if (typeof question === "string") return question;
  const source = await fileSource(file, { clock, changed() {} }, signal);
  source.close();
  const { settings, objects, problems } = source.current;
  const observer = { started() {}, ended() {}, fault() {} };
  const gateway = new Gateway(settings, { clock, random, observer, fault() {} });
  // Backends would be checked, and no route depends on them.
  const findings = gateway.replace(objects.filter(({ kind }) => kind.endsWith("Route")));
  const explanation = gateway.explain(question);
  await gateway.close(0, signal);
  return { explanation, problems, findings };
}
