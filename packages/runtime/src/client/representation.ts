/** What is asked of lists and watches: whole objects, or their metadata alone. */
export function acceptHeader(metadataOnly: boolean | undefined, of: "list" | "watch"): string {
  if (metadataOnly !== true) return "application/json";
  const kind = of === "list" ? "PartialObjectMetadataList" : "PartialObjectMetadata";
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}
