/**
 * The tag of an image reference: `latest` where it has neither tag nor digest, empty where a digest names the image, and
 * for texts that are no references.
 */
export function imageTag(image: string): string {
  const [name = "", digest] = image.split("@", 2);
  const colon = name.lastIndexOf(":");
  const tagged = colon > name.lastIndexOf("/");
  if (name === "" || !REPOSITORY.test(tagged ? name.slice(0, colon) : name)) return "";
  if (tagged) return name.slice(colon + 1);
  return digest === undefined ? "latest" : "";
}

const REPOSITORY =
  /^(?:[A-Za-z0-9.[\]:-]+\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
