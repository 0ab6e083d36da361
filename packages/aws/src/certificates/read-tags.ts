import { AwsCallError } from "../aws-call-error.ts";
import type { Aws } from "../create-aws.ts";
import type { Book } from "./book.ts";

/** Reads the tags of one certificate into the book. `refused`: there are no rights for it. A certificate that is gone has none. */
export async function readTags(
  aws: Pick<Aws, "acm">,
  book: Book,
  arn: string,
  signal: AbortSignal,
): Promise<"read" | "refused"> {
  try {
    const { Tags = [] } = await aws.acm.listTagsForCertificate({ CertificateArn: arn }, { signal });
    book.tagged(arn, new Map(Tags.map(({ Key, Value = "" }) => [Key, Value])));
    return "read";
  } catch (error) {
    if (!(error instanceof AwsCallError)) throw error;
    if (error.kind === "absent") return "read";
    if (error.kind === "terminal") return "refused";
    throw error;
  }
}

/**
 * Reads the tags of certificates that have exactly these names, where they are not known: the listing of tags may be late, and one of
 * them may have been requested with the token that is about to be used. Mostly there are none, and no call is made.
 */
export async function readTagsOfTwins(
  aws: Pick<Aws, "acm">,
  book: Book,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const wanted = new Set(names);
  const twins = book
    .named(names[0] ?? "")
    .filter((each) => each.names.length === wanted.size && each.names.every((name) => wanted.has(name)))
    .filter(({ arn }) => !book.tags().has(arn));
  for (const { arn } of twins) await readTags(aws, book, arn, signal);
}
